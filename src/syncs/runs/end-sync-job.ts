import type { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import type { SyncErrorCode, SyncJobStatus } from '../../instances/sync-job-status.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun } from '../tap-run-status.js';

const MAX_COUNT = 2 ** 31 - 1;

const ERROR_CODES: Partial<Record<SyncErrorClass, SyncErrorCode>> = {
  ...{ vendor_unavailable: 'source_error', rate_limited: 'source_error', credential: 'source_error' },
  ...{ permission: 'source_error', contract: 'source_error', internal: 'runner_error' },
};

/**
 * Updates the counts of a job, and ends it if no run is open. A skipped tap counts as read, because its definition says
 * to skip it. The caller has locked the connection. `known`: the runs, if they have not changed since they were read.
 */
export async function endSyncJob(
  tx: WorkspaceTransaction,
  jobId: string,
  known?: readonly Lean<TapRun>[],
): Promise<void> {
  await tx.em.flush();
  tx.read.clear();
  const runs = known ?? (await tx.read.many(TapRun, 'job', jobId));
  const job = await tx.em.findOneOrFail(SyncJob, { id: jobId }, { refresh: true });
  tx.update(job, { ...sumsOf(runs), updatedAt: new Date() }); // also sets the report time for the connection status
  if (!runs.some(({ status }) => isOpenRun(status))) await end(tx, job, runs);
  await tx.em.flush();
  await saveSyncState(tx, { id: job.instance.id });
}

async function end(tx: WorkspaceTransaction, job: SyncJob, runs: readonly Lean<TapRun>[]): Promise<void> {
  const status = statusAfter(runs);
  const [first] = runs
    .filter((run) => run.status === 'failed')
    .sort((one, other) => (`${one.finishedAt}` < `${other.finishedAt}` ? -1 : 1));
  const now = new Date();
  tx.update(job, {
    ...{ status, startedAt: job.startedAt ?? now, finishedAt: now },
    ...(first && (await failureOf(tx, first))),
  });
  tx.recordAudit('sync.finished', job, { status });
}

async function failureOf({ read }: WorkspaceTransaction, run: Lean<TapRun>): Promise<Partial<SyncJob>> {
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

function sumsOf(runs: readonly Lean<TapRun>[]): Partial<SyncJob> {
  const sumOf = (count: 'recordsRead' | 'recordsWritten' | 'recordsRejected') =>
    Math.min(
      MAX_COUNT,
      runs.reduce((sum, run) => sum + run[count], 0),
    );
  return {
    recordsRead: sumOf('recordsRead'),
    recordsWritten: sumOf('recordsWritten'),
    recordsRejected: sumOf('recordsRejected'),
  };
}
