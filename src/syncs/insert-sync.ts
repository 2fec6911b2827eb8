import type { TapRunMode } from '../catalog/model/table-mode.js';
import { SUCCEEDED_STATUSES, type SyncTrigger } from '../instances/sync-job-status.js';
import { statusListSql } from '../kernel/entities/status-list-sql.js';
import { deferPrepared } from '../kernel/execute-prepared.js';
import { decodeId, newId } from '../kernel/ids.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { NO_COUNTS } from './run-counts.js';

const INSERT_JOB = `
insert into sync_job (id, tenant_id, instance_id, trigger, status, run_until, created_at, created_by, updated_at, updated_by,
  quality_degraded, is_initial)
select n.id, n.tenant_id, n.instance_id, n.trigger, 'queued', n.run_until, n.now, n.author, n.now, n.author, false, not exists (
  select from sync_job j where j.tenant_id = n.tenant_id and j.instance_id = n.instance_id and j.status in (${statusListSql(SUCCEEDED_STATUSES)})
)
from (select ?::uuid as id, ?::uuid as tenant_id, ?::uuid as instance_id, ?::text as trigger, ?::timestamptz as run_until,
  ?::timestamptz as now, ?::uuid as author) n`;

const INSERT_RUNS = `
insert into tap_run (id, tenant_id, job_id, tap_id, mode, status, run_until, range_from, is_resync, created_at, created_by, updated_at, updated_by,
  records_read, records_written, records_rejected, bytes_read, requests, slices_done, left_out_parents, committed)
select r.id, n.tenant_id, n.job_id, r.tap_id, r.mode, 'pending', r.run_until, r.range_from, r.is_resync, n.now, n.author, n.now, n.author,
  0, 0, 0, 0, 0, 0, 0, n.committed
from (select ?::uuid as tenant_id, ?::uuid as job_id, ?::timestamptz as now, ?::uuid as author, ?::json as committed) n,
  json_to_recordset(?::json) as r(id uuid, tap_id uuid, mode text, run_until timestamptz, range_from timestamptz, is_resync boolean)`;

interface NewJob {
  readonly instanceId: string;
  readonly trigger: SyncTrigger;
  readonly runUntil: Date;
}

export interface NewTapRun {
  /** Id of the workspace tap. */
  readonly id: string;
  readonly mode: TapRunMode;
  readonly isResync: boolean;
  /** Start of the time range that the run reads again. Undefined without a time range. */
  readonly from?: Date | undefined;
  readonly until: Date;
}

/** The insert runs with the next statement of the transaction. Returns the id of the job. */
export async function insertSyncJob(
  { em, caller: { tenantId, userId } }: WorkspaceTransaction,
  { instanceId, trigger, runUntil }: NewJob,
): Promise<string> {
  const id = newId();
  const ids = [id, tenantId, instanceId].map(decodeId);
  await deferPrepared(em, INSERT_JOB, [...ids, trigger, runUntil, new Date(), decodeId(userId)]);
  return id;
}

/** The insert runs with the next statement of the transaction. Returns the ids of the runs. */
export async function insertTapRuns(
  { em, caller: { tenantId, userId } }: WorkspaceTransaction,
  jobId: string,
  runs: readonly NewTapRun[],
): Promise<readonly string[]> {
  if (runs.length === 0) return [];
  const ids = runs.map(() => newId());
  const rows = runs.map(({ id, mode, isResync, from, until }, at) => ({
    ...{ id: decodeId(ids[at] as string), tap_id: decodeId(id) },
    ...{ mode, run_until: until, range_from: from ?? null, is_resync: isResync },
  }));
  const owner = [decodeId(tenantId), decodeId(jobId), new Date(), decodeId(userId)];
  await deferPrepared(em, INSERT_RUNS, [...owner, JSON.stringify(NO_COUNTS), JSON.stringify(rows)]);
  return ids;
}
