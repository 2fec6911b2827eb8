import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../kernel/project-root.js';
import type { VendorDefinition } from './definition.js';
import { readDefinitions } from './read-definitions.js';

/** The definitions of `catalog/` as JSON. The build writes this file, because parsing the YAML takes seconds. */
export const COMPILED_CATALOG = join(PROJECT_ROOT, 'dist', 'catalog.json');

/** Ordered by slug. */
export async function readShippedDefinitions(): Promise<VendorDefinition[]> {
  return JSON.parse(await readFile(COMPILED_CATALOG, 'utf8'));
}

interface DefinitionOrigins {
  readonly loadsShippedCatalog: boolean;
  readonly catalogDir?: string | undefined;
}

/** Throws `DefinitionError`. */
export async function readAllDefinitions({
  loadsShippedCatalog,
  catalogDir,
}: DefinitionOrigins): Promise<VendorDefinition[]> {
  const shipped = loadsShippedCatalog ? await readShippedDefinitions() : [];
  return [...shipped, ...(catalogDir ? await readDefinitions([catalogDir], shipped) : [])];
}
