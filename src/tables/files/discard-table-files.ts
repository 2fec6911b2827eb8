import { decodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../table-context.js';
import type { WrittenFile } from '../written-file.js';
import { scheduleTableCleanup } from './table-cleanup-job.js';

interface TableLocation {
  readonly tenantId: string;
  readonly tableId: string;
}

/** One that has become part of the table after all, since only the reply to the commit was lost, stays. */
const DISCARD = `
update table_file set state = 'replaced', kept_until = clock_timestamp()
where tenant_id = ? and table_id = ? and state = 'pending' and id = any(?::uuid[]) returning id`;

/** Has files removed at once that will not become part of their table: otherwise they would count as used storage for hours. */
export async function discardTableFiles(
  { em, tables, jobs }: TableServices,
  { tenantId, tableId }: TableLocation,
  files: readonly Pick<WrittenFile, 'id'>[],
): Promise<void> {
  if (files.length === 0) return;
  const ids = `{${files.map(({ id }) => decodeId(id)).join(',')}}`;
  await runTenantTransaction(em, tables, tenantId, async (tx) => {
    const givenUp = await tx.em.execute(DISCARD, [decodeId(tenantId), decodeId(tableId), ids]);
    if (givenUp.length > 0) await scheduleTableCleanup(jobs, tx.em, { tenantId, tableId }, 0);
  });
}

/** Runs `work`, and gives the files up where it throws. Where the database is away then, the cleanup job finds them later. */
export async function discardOnFailure<Result>(
  parts: TableServices,
  place: TableLocation,
  files: readonly Pick<WrittenFile, 'id'>[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await discardTableFiles(parts, place, files).catch(() => undefined);
    throw error;
  }
}
