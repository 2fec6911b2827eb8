import { decodeId } from '../kernel/ids.js';
import { inTenant } from '../kernel/transaction.js';
import { scheduleTableCleanup } from './table-cleanup-job.js';
import type { TableParts } from './table-context.js';
import type { WrittenFile } from './written-file.js';

interface Place {
  readonly tenantId: string;
  readonly tableId: string;
}

/** One that has become part of the table after all, since only the reply to the commit was lost, stays. */
const GIVE_UP = `
update table_file set state = 'replaced', kept_until = clock_timestamp()
where tenant_id = ? and table_id = ? and state = 'pending' and id = any(?::uuid[]) returning id`;

/** Has files removed at once that will not become part of their table: otherwise they would count as used storage for hours. */
export async function giveUpTableFiles(
  { em, tables, jobs }: TableParts,
  { tenantId, tableId }: Place,
  files: readonly Pick<WrittenFile, 'id'>[],
): Promise<void> {
  if (files.length === 0) return;
  const ids = `{${files.map(({ id }) => decodeId(id)).join(',')}}`;
  await inTenant(em, tables, tenantId, async (tx) => {
    const givenUp = await tx.em.execute(GIVE_UP, [decodeId(tenantId), decodeId(tableId), ids]);
    if (givenUp.length > 0) await scheduleTableCleanup(jobs, tx.em, { tenantId, tableId }, 0);
  });
}

/** Runs `work`, and gives the files up where it throws. Where the database is away then, the cleanup job finds them later. */
export async function unlessGivenUp<Result>(
  parts: TableParts,
  place: Place,
  files: readonly Pick<WrittenFile, 'id'>[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await giveUpTableFiles(parts, place, files).catch(() => undefined);
    throw error;
  }
}
