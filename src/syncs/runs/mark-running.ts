import { saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { systemCaller, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { lockConnectionOfJob, lockOpenRun } from './end-tap-run.js';
import type { LoadedRun } from './load-run.js';
import type { SyncServices } from './sync-services.js';

/**
 * Sets the status of a run, and of its sync job. Returns whether the run has changed since it was loaded, because
 * another step has ended; undefined if the run has ended.
 */
export async function markRunning(
  { tableServices: { em, tables } }: SyncServices,
  { tenantId, runId, jobId, run: loaded }: LoadedRun,
  job: RunningJob,
): Promise<{ readonly hasChanged: boolean } | undefined> {
  return writeAsCaller(em, tables, systemCaller(tenantId), job.id, async (tx) => {
    const instance = await lockConnectionOfJob(tx, jobId);
    const run = await lockOpenRun(tx, runId);
    if (!run) return undefined;
    const isPlanned = (run.slicesTotal ?? undefined) !== (loaded.slicesTotal ?? undefined);
    const hasChanged = isPlanned || run.updatedAt.getTime() !== new Date(loaded.updatedAt).getTime();
    const now = new Date();
    if (run.status !== 'running')
      tx.update(run, { status: 'running', startedAt: run.startedAt ?? now, notBefore: null as never });
    const syncJob = await tx.em.findOneOrFail(SyncJob, { id: jobId });
    if (syncJob.status !== 'running') tx.update(syncJob, { status: 'running', startedAt: syncJob.startedAt ?? now });
    await tx.em.flush();
    await saveSyncState(tx, instance);
    return { hasChanged };
  });
}
