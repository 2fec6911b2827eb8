import { decodeId, encodeId } from '../kernel/ids.js';
import { inTenant } from '../kernel/transaction.js';
import { commitTableFiles } from './commit-table-files.js';
import type { TableJobData } from './table-cleanup-job.js';
import type { TableParts } from './table-context.js';
import { waitForTableLease } from './table-lease.js';
import { planRetention, readUpkeep } from './table-upkeep.js';

/** Seconds after which it is tried again where another writer does not come to an end. */
const LATER = 60;

const OLD = `
select id from table_file
where tenant_id = ? and table_id = ? and state = 'live' and last_received_at < clock_timestamp() - make_interval(days => ?)`;

/**
 * Takes files out of a table all of whose rows are older than its tap keeps them, and plans the next look, a day later. Ends by itself where the tap was
 * deleted, or keeps rows for ever.
 */
export async function applyRetention(parts: TableParts, data: TableJobData, signal: AbortSignal): Promise<void> {
  const { em, tables, jobs } = parts;
  const { tenantId, tableId } = data;
  const upkeep = await inTenant(em, tables, tenantId, (tx) => readUpkeep(tx.em, data));
  if (!upkeep || upkeep.isOver || upkeep.retentionDays === null) return;
  const old = [decodeId(tenantId), decodeId(tableId), upkeep.retentionDays];
  const end = await waitForTableLease(parts, data, signal, (lease) =>
    inTenant(em, tables, tenantId, async (tx) => {
      const files = await tx.em.execute<{ id: string }[]>(OLD, old);
      if (files.length > 0)
        await commitTableFiles(tx, lease, { added: [], replaced: files.map(({ id }) => encodeId(id)) });
    }),
  );
  await inTenant(em, tables, tenantId, (tx) => planRetention(jobs, tx.em, data, end === 'taken' ? LATER : undefined));
}
