import pg from 'pg';
import { afterAll, beforeEach } from 'vitest';
import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import { type LoadReport, loadDefinitions } from '../../../src/catalog/loading/load-definitions.js';
import { createOrm } from '../../../src/database/orm.js';
import { CatalogSnapshot, catalogTables } from './catalog-snapshot.js';
import { aDatabase } from './database.js';

export const UNCHANGED: LoadReport = { added: [], changed: [], removed: [], vendorsWithoutDefinition: [] };

/** The catalog is empty at the start of each test. */
export async function aCatalogDatabase() {
  const database = await aDatabase();
  const orm = createOrm(database.url);
  const secondOrm = createOrm(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const tables = await catalogTables(client);
  const catalog = new CatalogSnapshot(client, tables);
  beforeEach(() => catalog.sql(`truncate ${tables.join(', ')} cascade`));
  afterAll(async () => {
    await client.end();
    await Promise.all([orm.close(), secondOrm.close()]);
    await database.drop();
  });
  return {
    ...{ catalog, client, tables },
    load: (...definitions: VendorDefinition[]): Promise<LoadReport> => loadDefinitions(orm.em, definitions),
    /** Uses a second ORM, like another process. */
    loadElsewhere: (...definitions: VendorDefinition[]): Promise<LoadReport> =>
      loadDefinitions(secondOrm.em, definitions),
  };
}
