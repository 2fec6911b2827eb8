import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId } from '../../kernel/ids.js';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { TableJobData } from './table-cleanup-job.js';

/** Makes few files of many small ones. */
export const tableCompactionQueue: JobQueue<TableJobData> = {
  name: 'table-compaction',
  timeoutSeconds: 900,
  perTenant: 1,
};

/** Takes files out of a table whose rows are older than its tap keeps them; once a day. */
export const tableRetentionQueue: JobQueue<TableJobData> = {
  name: 'table-retention',
  timeoutSeconds: 300,
  ...LONG_RETRY_POLICY,
};

/** Files below so many bytes are small; so many of them are merged. */
export const SMALL_FILE_BYTES = 16 * 2 ** 20;
export const COMPACTION_MIN_FILES = 16;

const DAY_SECONDS = 86_400;

/** What a table is kept by. */
interface MaintenancePolicy {
  /** Its tap is deleted: it stays as it is. */
  readonly isOver: boolean;
  /** Days for which rows are kept; null for ever. */
  readonly retentionDays: number | null;
}

const SELECT_POLICY = `
select t.deleted_at is not null as "isOver", (d.retention_policy ->> 'retentionDays')::int as "retentionDays"
from catalog_table c
join tenant_connector_tap t on t.tenant_id = c.tenant_id and t.id = c.tap_id
left join connector_tap d on d.id = t.tap_id
where c.tenant_id = ? and c.id = ?`;

/** Small files of one kind that may be merged with each other: those of one day where whole days are to leave the table. */
const COUNT_SMALL_FILES = `
select coalesce(max(files), 0)::int as files from (
  select count(*) as files from table_file where tenant_id = ? and table_id = ? and state = 'live' and bytes < ${SMALL_FILE_BYTES}
  group by kind, case when ? then (last_received_at at time zone 'UTC')::date end
) s`;

/** In a transaction of the workspace. Undefined where there is no such table. */
export async function readMaintenancePolicy(
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
): Promise<MaintenancePolicy | undefined> {
  const [upkeep] = await em.execute<MaintenancePolicy[]>(SELECT_POLICY, [decodeId(tenantId), decodeId(tableId)]);
  return upkeep;
}

/** Has a table looked after that has changed, if the transaction of `em` is committed. */
export async function scheduleMaintenance(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
): Promise<void> {
  const data = { tenantId, tableId };
  const upkeep = await readMaintenancePolicy(em, data);
  if (!upkeep || upkeep.isOver) return;
  const isKept = upkeep.retentionDays !== null;
  const [small] = await em.execute<{ files: number }[]>(COUNT_SMALL_FILES, [
    decodeId(tenantId),
    decodeId(tableId),
    isKept,
  ]);
  if ((small?.files ?? 0) >= COMPACTION_MIN_FILES) await jobs.enqueue(em, tableCompactionQueue, data, { key: tableId });
  if (isKept) await scheduleRetention(jobs, em, data);
}

/** The next look for rows that are too old. */
export function scheduleRetention(
  jobs: Jobs,
  em: EntityManager,
  data: TableJobData,
  seconds = DAY_SECONDS,
): Promise<void> {
  return jobs.enqueue(em, tableRetentionQueue, data, { key: data.tableId, startAfter: seconds });
}
