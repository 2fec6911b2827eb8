import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOpenApi } from '../rest-facade/openapi.js';
import { buildDefinitionSchema } from '../src/catalog/definitions/definition-schema.js';
import { readDefinitions } from '../src/catalog/definitions/read-definitions.js';
import { createOrm } from '../src/database/orm.js';
import { createSchema } from '../src/graphql-schema.js';
import { printSdl } from '../src/http/graphql/schema-documents.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';
import { buildCatalogPage } from './catalog-page.js';

const orm = createOrm('postgresql://nowhere/taproot');
const schema = await createSchema(orm.getMetadata());

const files: Record<string, string> = {
  'schema/schema.graphql': printSdl(schema),
  'schema/openapi.json': `${JSON.stringify(createOpenApi(schema), null, 2)}\n`,
  'catalog/definition.schema.json': `${JSON.stringify(buildDefinitionSchema(schema), null, 2)}\n`,
};
for (const [path, text] of Object.entries(files)) await writeFile(join(PROJECT_ROOT, path), text);

// The new schema must exist before the script reads the definitions.
const page = buildCatalogPage(await readDefinitions([join(PROJECT_ROOT, 'catalog')]));
await writeFile(join(PROJECT_ROOT, 'docs/catalog.md'), page);
