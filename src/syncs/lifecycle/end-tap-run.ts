import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { ConnectionJob } from '../runs/lock-run.js';
import type { EndServices, RunEnd } from '../runs/run-end.js';
import type { TapRun } from '../tap-run.js';
import { closeTapRun } from './close-tap-run.js';
import { endSyncJob } from './end-sync-job.js';
import { planSync } from './plan-sync.js';

/**
 * Deletes the slices and files of the run, unless the next run or a decision about held rows needs them. If the run
 * succeeded, starts the runs of the child taps. Otherwise, ends these runs. After the last run of the sync job, ends
 * the job. Has no effect on a run that has ended. The caller must lock the connection. If the caller has locked the
 * run, `locked` is this run.
 */
export async function endTapRun(
  tx: WorkspaceTransaction,
  services: EndServices,
  { jobId, instanceId, runId }: ConnectionJob & { readonly runId: string },
  end: RunEnd,
  locked?: TapRun,
): Promise<void> {
  await closeTapRun(tx, services, runId, end, locked);
  tx.read.clear();
  const runs = await planSync(tx, services, jobId, { endedRunId: runId });
  await endSyncJob(tx, { jobId, instanceId }, runs);
}
