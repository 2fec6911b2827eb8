import { randomUUID } from 'node:crypto';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { startSync } from '../../../src/syncs/lifecycle/start-sync.js';
import { systemCaller, writeAsCaller } from '../../../src/tenancy/workspace-transaction.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { withTableServices } from '../tables/table-services.js';

/** Starts a sync, which the jobs of a service then perform. Returns the id of the sync job. */
export async function startSyncOf(
  service: { databaseUrl: string; dataDir: string },
  instanceId: string,
): Promise<string> {
  const sql = 'select tenant_id from tenant_connector_instance where id = $1';
  const [row] = await queryAsOwner(service, sql, [decodeId(instanceId)]);
  const caller = systemCaller(encodeId(row?.tenant_id));
  return withTableServices(service, (services) =>
    writeAsCaller(services.em, services.tables, caller, randomUUID(), (tx) =>
      startSync(tx, services, instanceId, { trigger: 'manual' }),
    ),
  );
}
