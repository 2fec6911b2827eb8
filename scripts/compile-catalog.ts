import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefinitionError, readDefinitions } from '../src/catalog/definitions/read-definitions.js';
import { COMPILED_CATALOG } from '../src/catalog/definitions/shipped-definitions.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';

try {
  const definitions = await readDefinitions([join(PROJECT_ROOT, 'catalog')]);
  await writeFile(COMPILED_CATALOG, JSON.stringify(definitions));
} catch (error) {
  if (!(error instanceof DefinitionError)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exitCode = 1;
}
