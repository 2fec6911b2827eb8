import type { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import type { SyncErrorCode, SyncJobStatus } from '../../instances/sync-job-status.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { ConnectionJob } from '../runs/lock-run.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun } from '../tap-run-status.js';

const MAX_COUNT = 2 ** 31 - 1;

const ERROR_CODES: Partial<Record<SyncErrorClass, SyncErrorCode>> = {
  ...{ vendor_unavailable: 'source_error', rate_limited: 'source_error', credential: 'source_error' },
  ...{ permission: 'source_error', contract: 'source_error', internal: 'runner_error' },
};

const UPDATE_JOB = `
update sync_job set records_read = ?, records_written = ?, records_rejected = ?, updated_at = ?, updated_by = ?,
  status = coalesce(?, status), started_at = coalesce(started_at, ?), finished_at = coalesce(?, finished_at),
  error_class = coalesce(?, error_class), error_code = coalesce(?, error_code), error_message = coalesce(?, error_message)
where tenant_id = ? and id = ?`;

/**
 * Ends the job if no run is open. A skipped tap counts as read. The caller must lock the connection. `known` contains
 * the runs of the job. Callers omit `known` if the runs may have changed since they were read.
 */
export async function endSyncJob(
  tx: WorkspaceTransaction,
  { jobId, instanceId }: ConnectionJob,
  known?: readonly Lean<TapRun>[],
): Promise<void> {
  await tx.em.flush();
  tx.read.clear();
  const runs = known ?? (await tx.read.many(TapRun, 'job', jobId));
  const { tenantId, userId } = tx.caller;
  const now = new Date();
  const isEnd = !runs.some(({ status }) => isOpenRun(status));
  const { status = null, ...failure } = isEnd ? await endOf(tx, runs) : {};
  const end = [status, ...(isEnd ? [now, now] : [null, null])];
  const { errorClass = null, errorCode = null, errorMessage = null } = failure;
  const ids = [tenantId, jobId].map(decodeId);
  const change = [...sumsOf(runs), now, decodeId(userId), ...end, errorClass, errorCode, errorMessage];
  await deferPrepared(tx.em, UPDATE_JOB, [...change, ...ids]);
  if (status) tx.recordAuditOf('sync.finished', SyncJob.name, jobId, { status });
  await saveSyncState(tx, { id: instanceId });
}

type JobEnd = Partial<Pick<SyncJob, 'status' | 'errorClass' | 'errorCode' | 'errorMessage'>>;

async function endOf(tx: WorkspaceTransaction, runs: readonly Lean<TapRun>[]): Promise<JobEnd> {
  const [first] = runs
    .filter((run) => run.status === 'failed')
    .sort((one, other) => (`${one.finishedAt}` < `${other.finishedAt}` ? -1 : 1));
  return { status: statusAfter(runs), ...(first && (await failureOf(tx, first))) };
}

async function failureOf({ read }: WorkspaceTransaction, run: Lean<TapRun>): Promise<JobEnd> {
  const { errorClass, errorMessage } = run;
  const tap = await read.byId(TenantConnectorTap, run.tap);
  const errorCode = errorClass && ERROR_CODES[errorClass];
  return {
    ...(errorClass && { errorClass }),
    ...(errorCode && { errorCode }),
    ...(errorMessage && { errorMessage: `${tap?.name}: ${errorMessage}` }),
  };
}

function statusAfter(runs: readonly Lean<TapRun>[]): SyncJobStatus {
  const countOf = (...statuses: string[]) => runs.filter(({ status }) => statuses.includes(status)).length;
  const [read, failed] = [countOf('succeeded', 'skipped'), countOf('failed')];
  if (failed > 0) return read > 0 ? 'partial_success' : 'failed';
  return read > 0 ? 'succeeded' : 'cancelled';
}

function sumsOf(runs: readonly Lean<TapRun>[]): number[] {
  const counts = ['recordsRead', 'recordsWritten', 'recordsRejected'] as const;
  return counts.map((count) =>
    Math.min(
      MAX_COUNT,
      runs.reduce((sum, run) => sum + run[count], 0),
    ),
  );
}
