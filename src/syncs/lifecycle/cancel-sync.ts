import { lockInstance } from '../../instances/find-instance.js';
import { saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import { isFinishedSyncJob } from '../../instances/sync-job-status.js';
import { AppError } from '../../kernel/errors.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { EndServices } from '../runs/run-end.js';
import { closeOpenRuns } from './close-tap-run.js';

/**
 * Running steps stop within 2 seconds and discard the pages that they have read since their last commit. Has no effect
 * on a sync that has ended. Throws NOT_FOUND if the sync does not exist. Throws CONFLICT for a sync of an external
 * runner.
 */
export async function cancelSync(tx: WorkspaceTransaction, services: EndServices, jobId: string): Promise<void> {
  const found = await tx.read.byId(SyncJob, jobId);
  if (!found) throw new AppError('NOT_FOUND', 'The sync does not exist.');
  const instance = await lockInstance(tx, found.instance);
  const job = await tx.em.findOneOrFail(SyncJob, { id: jobId });
  if (isFinishedSyncJob(job.status)) return;
  if (job.trigger === 'external')
    throw new AppError('CONFLICT', 'An external runner reports this sync. Cancel it at the runner.');
  await closeOpenRuns(tx, services, jobId, { status: 'cancelled' });
  const now = new Date();
  tx.update(job, { status: 'cancelled', startedAt: job.startedAt ?? now, finishedAt: now });
  await tx.em.flush();
  await saveSyncState(tx, instance);
  tx.recordAudit('sync.cancelled', job);
}
