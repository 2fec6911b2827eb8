import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDefinitions } from '../src/catalog/definitions/read-definitions.js';
import { COMPILED_CATALOG } from '../src/catalog/definitions/shipped-definitions.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';
import { printDefinitionFaults } from './print-definition-faults.js';

await printDefinitionFaults(async () => {
  const definitions = await readDefinitions([join(PROJECT_ROOT, 'catalog')]);
  await writeFile(COMPILED_CATALOG, JSON.stringify(definitions));
});
