import 'reflect-metadata';
import { join } from 'node:path';
import { DefinitionError, readDefinitions } from '../src/catalog/definitions/read-definitions.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';

const folders = process.argv.length > 2 ? process.argv.slice(2) : [join(PROJECT_ROOT, 'catalog')];
try {
  const vendors = await readDefinitions(folders);
  console.log(`${vendors.length} vendor definitions are valid`);
} catch (error) {
  if (!(error instanceof DefinitionError)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exitCode = 1;
}
