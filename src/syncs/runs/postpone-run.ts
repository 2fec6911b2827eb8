import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { systemCaller, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import type { TapReadError } from '../tap-read-error.js';
import { endTapRun, lockConnectionOfJob, lockOpenRun } from './end-tap-run.js';
import type { LoadedRun } from './load-run.js';
import type { SyncServices } from './sync-services.js';
import { syncStepQueue } from './sync-step-job.js';
import { positionAfterWait, waitedTooOften } from './wait-for-vendor.js';

/** Postpones a run if its vendor asks for a pause before the first slice could be read. */
export async function postponeRun(
  { tableServices }: SyncServices,
  { tenantId, runId, jobId }: LoadedRun,
  job: RunningJob,
  error: TapReadError,
): Promise<void> {
  const { em, tables, jobs } = tableServices;
  await writeAsCaller(em, tables, systemCaller(tenantId), job.id, async (tx) => {
    await lockConnectionOfJob(tx, jobId);
    const run = await lockOpenRun(tx, runId);
    if (!run) return;
    tx.update(run, positionAfterWait(run, error, false));
    const failure = waitedTooOften(run, error);
    if (failure) return endTapRun(tx, tableServices, { jobId, runId }, failure);
    await jobs.enqueue(tx.em, syncStepQueue, { tenantId, runId }, { key: runId, startAfter: run.notBefore as Date });
  });
}
