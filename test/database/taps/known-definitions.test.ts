import { expect, it } from 'vitest';
import type { CatalogRevision } from '../../../src/catalog/catalog-revision.js';
import { KnownDefinitions } from '../../../src/catalog/loading/known-definitions.js';
import { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import { TenantConnectorTap } from '../../../src/instances/tenant-connector-tap.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Lean } from '../../../src/kernel/reading/reader.js';
import { runTenantTransaction } from '../../../src/kernel/reading/tenant-transaction.js';
import { syncedTaps } from '../../support/syncs/synced-taps.js';

const syncs = await syncedTaps();
const { query, services } = syncs.world;

it('definitions are read once per revision of the catalog, and other rows each time', async () => {
  const { tenantId, taps } = await syncs.createConnection({ users: {} });
  const known = new KnownDefinitions();
  const namesAt = (revision: Lean<CatalogRevision> | undefined) =>
    runTenantTransaction(services.em, services.tables, tenantId, async ({ read }) => {
      known.use(read, revision);
      const tap = (await read.byId(TenantConnectorTap, taps.users as string)) as Lean<TenantConnectorTap>;
      return [(await read.byId(ConnectorTap, tap.tap as string))?.description, tap.tableName];
    });
  const rename = async (name: string) => {
    await query('update connector_tap set description = $1', [name]);
    await query('update tenant_connector_tap set table_name = $1', [name]);
  };
  const [first, second] = [newId(), newId()].map((id) => ({ id, reachedConnections: true }));
  await rename('old');
  expect(await namesAt(first)).toEqual(['old', 'old']);
  await rename('new');
  expect(await namesAt(first)).toEqual(['old', 'new']);
  expect(await namesAt(second)).toEqual(['new', 'new']);
  await rename('newest');
  expect(await namesAt(undefined)).toEqual(['newest', 'newest']);
});
