import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { Notes } from '../notes.js';
import { ImportError, type SourceFile } from '../source-file.js';

export function importManifest({ name }: SourceFile, _slug: string, _name: string, _notes: Notes): VendorDefinition {
  throw new ImportError(`${name}: manifests are not supported.`);
}
