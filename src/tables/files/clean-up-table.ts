import { decodeId, encodeId } from '../../kernel/ids.js';
import { runTenantTransaction, type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { addStorageUsage } from '../../tenancy/storage-quota.js';
import type { TableServices } from '../table-context.js';
import type { TableFileKind } from '../table-file.js';
import { tableFileKey } from '../table-file-key.js';
import { REPLACED_FILE_GRACE_SECONDS } from './commit-table-files.js';
import { sweepWorkFolder } from './sweep-work-folder.js';
import { scheduleTableCleanup, type TableJobData } from './table-cleanup-job.js';

const DELETE_BATCH_FILES = 100;

/**
 * Marks abandoned files as replaced, so that a stalled process can no longer commit them. The process may still upload
 * these files, so the job deletes them only after a grace period.
 */
const DISCARD_ABANDONED = `
update table_file set state = 'replaced', kept_until = clock_timestamp() + make_interval(secs => ${REPLACED_FILE_GRACE_SECONDS})
where tenant_id = ? and table_id = ? and state = 'pending' and kept_until < clock_timestamp()`;

const SELECT_DELETABLE = `
select id, kind from table_file
where tenant_id = ? and table_id = ? and state = 'replaced' and kept_until < clock_timestamp() order by id limit ${DELETE_BATCH_FILES}`;

const DELETE_ROW = `delete from table_file where tenant_id = ? and table_id = ? and state = 'replaced' and id = ? returning bytes`;

/** Versions that added columns remain, because they are the history of the schema. */
const DELETE_VERSIONS = `
delete from table_version where tenant_id = ? and table_id = ? and readable_until < clock_timestamp() and added_columns is null`;

const SECONDS_TO_NEXT = `
select ceil(extract(epoch from min(kept_until) - clock_timestamp()))::int as seconds
from table_file where tenant_id = ? and table_id = ? and state in ('pending', 'replaced')`;

/**
 * Deletes expired files that were replaced or never became part of the table. Also deletes old versions, and files that
 * killed processes left in the working folder. Schedules the next cleanup. Deletes the bytes of a file before its row
 * of `table_file`, so that a later cleanup can repeat every step. Several processes may run the cleanup concurrently.
 */
export async function cleanUpTable(services: TableServices, data: TableJobData, signal: AbortSignal): Promise<void> {
  const { tenantId, tableId } = data;
  const table = [decodeId(tenantId), decodeId(tableId)];
  const inWorkspace = <Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result> =>
    runTenantTransaction(services.em, services.tables, tenantId, work);
  await sweepWorkFolder(services.folder);
  await inWorkspace(async ({ em }) => {
    await em.execute(DISCARD_ABANDONED, table);
    await em.execute(DELETE_VERSIONS, table);
  });
  for (;;) {
    const files = await inWorkspace(({ em }) =>
      em.execute<{ id: string; kind: TableFileKind }[]>(SELECT_DELETABLE, table),
    );
    if (files.length === 0) break;
    for (const { id, kind } of files) {
      signal.throwIfAborted();
      await services.store.delete(tableFileKey({ tenantId, tableId, kind, id: encodeId(id) }));
      await inWorkspace(async ({ em }) => {
        const [deleted] = await em.execute<{ bytes: string }[]>(DELETE_ROW, [...table, id]);
        await addStorageUsage(em, tenantId, 'tables', -Number(deleted?.bytes ?? 0));
      });
    }
  }
  await inWorkspace(async ({ em }) => {
    const [next] = await em.execute<{ seconds: number | null }[]>(SECONDS_TO_NEXT, table);
    if (typeof next?.seconds === 'number')
      await scheduleTableCleanup(services.jobs, em, data, Math.max(1, next.seconds));
  });
}
