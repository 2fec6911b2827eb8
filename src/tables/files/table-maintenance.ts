import type { EntityManager } from '@mikro-orm/postgresql';
import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { TableJobData } from './table-cleanup-job.js';

export const tableCompactionQueue: JobQueue<TableJobData> = {
  name: 'table-compaction',
  timeoutSeconds: 900,
  perTenant: 1,
};

/** Once a day, removes the table files that contain only expired rows. */
export const tableRetentionQueue: JobQueue<TableJobData> = {
  name: 'table-retention',
  timeoutSeconds: 300,
  ...LONG_RETRY_POLICY,
};

/** The compaction merges files below this size if there are at least `COMPACTION_MIN_FILES` of them. */
export const SMALL_FILE_BYTES = 16 * 2 ** 20;
export const COMPACTION_MIN_FILES = 16;

const DAY_SECONDS = 86_400;

interface MaintenancePolicy {
  /** Whether the tap is deleted. The maintenance of its table then ends. */
  readonly isOver: boolean;
  /** Null if the service keeps the rows indefinitely. */
  readonly retentionDays: number | null;
}

const SELECT_POLICY = `
select t.deleted_at is not null as "isOver", (d.retention_policy ->> 'retentionDays')::int as "retentionDays"
from catalog_table c
join tenant_connector_tap t on t.tenant_id = c.tenant_id and t.id = c.tap_id
left join connector_tap d on d.id = t.tap_id
where c.tenant_id = ? and c.id = ?`;

/**
 * Selects the policy of a table, and the number of files in the largest group of small files that `compactTable` may
 * merge.
 */
const SELECT_WORK = `
select policy.*, (
  select coalesce(max(files), 0)::int from (
    select count(*) as files from table_file where tenant_id = ? and table_id = ? and state = 'live' and bytes < ${SMALL_FILE_BYTES}
    group by kind, first_key is null, case when policy."retentionDays" is not null then (last_received_at at time zone 'UTC')::date end
  ) s
) as "smallFiles" from (${SELECT_POLICY}) policy`;

/** Returns undefined if the table does not exist. Requires a transaction of the workspace. */
export async function readMaintenancePolicy(
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
): Promise<MaintenancePolicy | undefined> {
  const [policy] = await executePrepared<MaintenancePolicy>(em, SELECT_POLICY, [decodeId(tenantId), decodeId(tableId)]);
  return policy;
}

/** Schedules compaction and retention for a changed table, in the transaction of `em`. */
export async function scheduleMaintenance(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
): Promise<void> {
  const data = { tenantId, tableId };
  const table = [tenantId, tableId].map(decodeId);
  const [work] = await executePrepared<MaintenancePolicy & { smallFiles: number }>(em, SELECT_WORK, [
    ...table,
    ...table,
  ]);
  if (!work || work.isOver) return;
  if (work.smallFiles >= COMPACTION_MIN_FILES) await jobs.enqueue(em, tableCompactionQueue, data, { key: tableId });
  if (work.retentionDays !== null) await scheduleRetention(jobs, em, data);
}

export function scheduleRetention(
  jobs: Jobs,
  em: EntityManager,
  data: TableJobData,
  seconds = DAY_SECONDS,
): Promise<void> {
  return jobs.enqueue(em, tableRetentionQueue, data, { key: data.tableId, startAfter: seconds });
}
