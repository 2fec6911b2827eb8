import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import type { WrittenFile } from '../written-file.js';
import { scheduleTableCleanup } from './table-cleanup-job.js';

interface TableLocation {
  readonly tenantId: string;
  readonly tableId: string;
}

/** Skips files of a successful commit whose response was lost, because these files are part of the table. */
const DISCARD = `
update table_file set state = 'replaced', kept_until = clock_timestamp()
where tenant_id = ? and table_id = ? and state = 'pending' and id = any(?::uuid[]) returning id`;

/** Deletes files that will not become part of the table. Otherwise, they would count as used storage for hours. */
export async function discardTableFiles(
  { em, tables, jobs }: TableServices,
  { tenantId, tableId }: TableLocation,
  files: readonly Pick<WrittenFile, 'id'>[],
): Promise<void> {
  if (files.length === 0) return;
  const ids = `{${files.map(({ id }) => decodeId(id)).join(',')}}`;
  await runTenantTransaction(em, tables, tenantId, async (tx) => {
    const discarded = await executePrepared(tx.em, DISCARD, [decodeId(tenantId), decodeId(tableId), ids]);
    if (discarded.length > 0) await scheduleTableCleanup(jobs, tx.em, { tenantId, tableId }, 0);
  });
}

/**
 * Discards the files if `work` throws. If the database is unavailable at that time, the cleanup job deletes the files
 * later.
 */
export async function discardOnFailure<Result>(
  services: TableServices,
  place: TableLocation,
  files: readonly Pick<WrittenFile, 'id'>[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await discardTableFiles(services, place, files).catch(() => undefined);
    throw error;
  }
}
