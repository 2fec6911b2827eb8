import type { JsonNode, ResolveReference } from '../catalog-compare/documents.js';
import { isNode } from './source-file.js';

const MAX_REFERENCES = 20;

export interface LocalReferences {
  /**
   * Returns undefined for values that are not objects, for references to other files, and for invalid or cyclic
   * references.
   */
  readonly resolve: ResolveReference;
  /** References to other files, which the import does not read. */
  readonly external: ReadonlySet<string>;
}

/** Resolves `$ref` only within the document, because an imported file must not select further files. */
export function localReferences(root: JsonNode): LocalReferences {
  const external = new Set<string>();
  const resolve: ResolveReference = (node) => {
    let found: unknown = node;
    for (let count = 0; isNode(found) && typeof found.$ref === 'string'; count++) {
      if (count === MAX_REFERENCES) return undefined;
      if (!found.$ref.startsWith('#')) external.add(found.$ref);
      found = valueAt(root, found.$ref);
    }
    return isNode(found) ? found : undefined;
  };
  return { resolve, external };
}

function valueAt(root: JsonNode, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const key of reference.slice(2).split('/').map(unescaped)) {
    if (key === undefined || typeof found !== 'object' || found === null || !Object.hasOwn(found, key))
      return undefined;
    found = (found as JsonNode)[key];
  }
  return found;
}

function unescaped(key: string): string | undefined {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
