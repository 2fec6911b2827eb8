import 'reflect-metadata';
import { join } from 'node:path';
import { readDefinitions } from '../src/catalog/definitions/read-definitions.js';
import { sourceWarnings } from '../src/catalog/definitions/source-warnings.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';
import { printDefinitionFaults } from './print-definition-faults.js';

const folders = process.argv.length > 2 ? process.argv.slice(2) : [join(PROJECT_ROOT, 'catalog')];
await printDefinitionFaults(async () => {
  const vendors = await readDefinitions(folders);
  for (const warning of vendors.flatMap((vendor) => sourceWarnings(vendor, new Date())))
    console.warn(`warning: ${warning}`);
  console.log(`${vendors.length} vendor definitions are valid`);
});
