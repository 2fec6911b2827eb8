import { decodeId, encodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import { commitTableFiles } from './commit-table-files.js';
import type { TableJobData } from './table-cleanup-job.js';
import { waitForTableLease } from './table-lease.js';
import { readMaintenancePolicy, scheduleRetention } from './table-maintenance.js';

const RETRY_SECONDS = 60;

const SELECT_EXPIRED_FILES = `
select id from table_file
where tenant_id = ? and table_id = ? and state = 'live' and last_received_at < clock_timestamp() - make_interval(days => ?)`;

/**
 * Removes files from the table if all of their rows are older than the retention period of the tap. Schedules the next
 * job a day later, or a minute later if the table has another writer. Schedules no job if the tap is deleted or has no
 * retention period.
 */
export async function applyRetention(services: TableServices, data: TableJobData, signal: AbortSignal): Promise<void> {
  const { em, tables, jobs } = services;
  const { tenantId, tableId } = data;
  const policy = await runTenantTransaction(em, tables, tenantId, (tx) => readMaintenancePolicy(tx.em, data));
  if (!policy || policy.isOver || policy.retentionDays === null) return;
  const values = [decodeId(tenantId), decodeId(tableId), policy.retentionDays];
  const result = await waitForTableLease(services, data, signal, (lease) =>
    runTenantTransaction(em, tables, tenantId, async (tx) => {
      const files = await tx.em.execute<{ id: string }[]>(SELECT_EXPIRED_FILES, values);
      if (files.length > 0)
        await commitTableFiles(tx, lease, {
          ...{ added: [], replaced: files.map(({ id }) => encodeId(id)), cause: { kind: 'retention' } },
        });
    }),
  );
  await runTenantTransaction(em, tables, tenantId, (tx) =>
    scheduleRetention(jobs, tx.em, data, result === 'taken' ? RETRY_SECONDS : undefined),
  );
}
