import type { VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { importManifest } from './manifest/import-manifest.js';
import { toSlug } from './names.js';
import { Notes } from './notes.js';
import { importOpenApi } from './openapi/import-openapi.js';
import { ImportError, isNode, readSourceFile, type SourceFile } from './source-file.js';

const MAX_NAME_LENGTH = 100;

export interface Import {
  readonly vendor: VendorDefinition;
  /** The settings that the author must add or check, one per line. */
  readonly notes: readonly string[];
}

/** By default, the slug comes from the title of the API. Throws `ImportError`. */
export function importDescription(path: string, slug?: string): Import {
  const file = readSourceFile(path);
  const notes = new Notes(file.name);
  const name = vendorName(file) || slug || 'Vendor';
  const ownSlug = slug ?? (toSlug(name) || 'vendor');
  const importFile = importerOf(file);
  try {
    return { vendor: importFile(file, ownSlug, name, notes), notes: notes.lines };
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name} has an unexpected structure: ${(error as Error).message}`);
  }
}

function importerOf({ name, root }: SourceFile): typeof importOpenApi {
  const { openapi, swagger, type } = root;
  if (String(openapi).startsWith('3.') || String(swagger) === '2.0' || swagger === 2) return importOpenApi;
  if (type === 'DeclarativeSource') return importManifest;
  throw new ImportError(`${name} is not an OpenAPI 3, Swagger 2.0 or DeclarativeSource file.`);
}

/** Removes words such as "REST API" from the end of the title. */
function vendorName({ root, name }: SourceFile): string {
  const { info, type } = root;
  const title = isNode(info) && typeof info.title === 'string' ? info.title : '';
  const given = type === 'DeclarativeSource' ? name.replace(/\.\w+$/, '') : title;
  return given
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .replace(/(\s+(the|public|web|rest|http|open|api|apis|specification|reference|documentation|v?\d[\d.]*))+$/i, '')
    .slice(0, MAX_NAME_LENGTH)
    .trim();
}
