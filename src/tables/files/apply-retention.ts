import { decodeId, encodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import { commitTableFiles } from './commit-table-files.js';
import type { TableJobData } from './table-cleanup-job.js';
import { waitForTableLease } from './table-lease.js';
import { readMaintenancePolicy, scheduleRetention } from './table-maintenance.js';

/** Seconds after which it is tried again where another writer does not come to an end. */
const RETRY_SECONDS = 60;

const SELECT_EXPIRED_FILES = `
select id from table_file
where tenant_id = ? and table_id = ? and state = 'live' and last_received_at < clock_timestamp() - make_interval(days => ?)`;

/**
 * Takes files out of a table all of whose rows are older than its tap keeps them, and plans the next look, a day later. Ends by itself where the tap was
 * deleted, or keeps rows for ever.
 */
export async function applyRetention(parts: TableServices, data: TableJobData, signal: AbortSignal): Promise<void> {
  const { em, tables, jobs } = parts;
  const { tenantId, tableId } = data;
  const upkeep = await runTenantTransaction(em, tables, tenantId, (tx) => readMaintenancePolicy(tx.em, data));
  if (!upkeep || upkeep.isOver || upkeep.retentionDays === null) return;
  const old = [decodeId(tenantId), decodeId(tableId), upkeep.retentionDays];
  const end = await waitForTableLease(parts, data, signal, (lease) =>
    runTenantTransaction(em, tables, tenantId, async (tx) => {
      const files = await tx.em.execute<{ id: string }[]>(SELECT_EXPIRED_FILES, old);
      if (files.length > 0)
        await commitTableFiles(tx, lease, { added: [], replaced: files.map(({ id }) => encodeId(id)) });
    }),
  );
  await runTenantTransaction(em, tables, tenantId, (tx) =>
    scheduleRetention(jobs, tx.em, data, end === 'taken' ? RETRY_SECONDS : undefined),
  );
}
