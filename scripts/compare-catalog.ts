import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DefinitionError, readDefinitions } from '../src/catalog/definitions/read-definitions.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';
import { compareCatalog } from './catalog-compare/compare-catalog.js';
import { DescriptionError } from './catalog-compare/descriptions.js';

const [folder, definitions = join(PROJECT_ROOT, 'catalog')] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  console.error('Usage: npm run catalog:compare -- FOLDER [DEFINITIONS]');
  console.error(
    'FOLDER contains the API descriptions. DEFINITIONS contains the vendor definitions (default: catalog).',
  );
  process.exit(2);
}
try {
  const { lines, differenceCount } = compareCatalog(folder, await readDefinitions([definitions]));
  for (const line of lines) console.log(line);
  process.exitCode = differenceCount ? 1 : 0;
} catch (error) {
  if (!(error instanceof DescriptionError || error instanceof DefinitionError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
