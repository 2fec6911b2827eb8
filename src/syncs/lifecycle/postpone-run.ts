import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { LoadedRun } from '../runs/load-run.js';
import { lockOpenRun, writeWithLockedConnection } from '../runs/lock-run.js';
import type { SyncServices } from '../runs/sync-services.js';
import { syncStepQueue } from '../runs/sync-step-job.js';
import { positionAfterWait, waitedTooOften } from '../runs/wait-for-vendor.js';
import type { TapReadError } from '../tap-read-error.js';
import { endTapRun } from './end-tap-run.js';

/**
 * Delays the run if the vendor requests a pause before the run has read its first slice. Ends the run if it has waited
 * too often.
 */
export async function postponeRun(
  { tableServices }: SyncServices,
  { tenantId, runId, jobId, instanceId }: LoadedRun,
  job: RunningJob,
  error: TapReadError,
): Promise<void> {
  const { jobs } = tableServices;
  await writeWithLockedConnection(tableServices, { tenantId, jobId }, job.id, async (tx) => {
    const run = await lockOpenRun(tx, runId);
    if (!run) return;
    tx.update(run, positionAfterWait(run, error, false));
    const failure = waitedTooOften(run, error);
    if (failure) return endTapRun(tx, tableServices, { jobId, instanceId, runId }, failure);
    await jobs.enqueue(tx.em, syncStepQueue, { tenantId, runId }, { key: runId, startAfter: run.notBefore as Date });
  });
}

/** Maximum delay of a step that fails repeatedly, for example while the file store is unavailable. */
const MAX_DELAY_SECONDS = 60;

/** The first failure adds no delay, because the queue retries the job after 1 to 2 seconds. */
const POSTPONE = `
update tap_run set failed_attempts = failed_attempts + 1, updated_at = now(),
  status = case when failed_attempts > 0 then 'waiting' else status end,
  not_before = case when failed_attempts > 0
    then now() + make_interval(secs => least(${MAX_DELAY_SECONDS}, 2 ^ least(failed_attempts, 10))) end
where tenant_id = ? and id = ? and status = 'running'`;

/** Delays the next attempt. The delay doubles with each failed attempt. */
export async function postponeAfterFailure(
  { tableServices: { em, tables } }: SyncServices,
  { tenantId, runId }: LoadedRun,
): Promise<void> {
  await runTenantTransaction(em, tables, tenantId, (tx) =>
    executePrepared(tx.em, POSTPONE, [tenantId, runId].map(decodeId)),
  );
}
