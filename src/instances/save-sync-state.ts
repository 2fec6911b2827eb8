import { relationEquals } from '../kernel/entities/tenant-table.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { SyncJob } from './sync-job.js';
import { CONCLUSIVE_STATUSES, OPEN_STATUSES, SUCCEEDED_STATUSES, type SyncJobStatus } from './sync-job-status.js';
import { syncStateOf } from './sync-state.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';

const MAX_OPEN_JOBS = 100;

/** Whether a job of the connection has succeeded, for at least some of its taps. */
export async function hasSucceeded(tx: WorkspaceTransaction, instanceId: string): Promise<boolean> {
  const condition = { ...relationEquals('instance_id', instanceId), status: { $in: [...SUCCEEDED_STATUSES] } };
  return (await tx.em.findOne(SyncJob, condition)) !== null;
}

/** Updates the summary of the jobs in the connection after a change of a job. The caller has locked the connection. */
export async function saveSyncState(tx: WorkspaceTransaction, instance: TenantConnectorInstance): Promise<void> {
  const latest = (
    statuses: readonly SyncJobStatus[],
    by: 'finishedAt' | 'updatedAt',
    limit: number,
  ): Promise<SyncJob[]> => {
    const condition = { ...relationEquals('instance_id', instance.id), status: { $in: [...statuses] } };
    return tx.em.find(SyncJob, condition, { orderBy: { [by]: 'desc' }, limit });
  };
  const open = await latest(OPEN_STATUSES, 'updatedAt', MAX_OPEN_JOBS);
  const [conclusive] = await latest(CONCLUSIVE_STATUSES, 'finishedAt', 1);
  const [succeeded] = await latest(SUCCEEDED_STATUSES, 'finishedAt', 1);
  const newest = await tx.em.findOne(SyncJob, relationEquals('instance_id', instance.id), {
    orderBy: { createdAt: 'desc' },
  });
  tx.update(instance, {
    sync: syncStateOf([...open, ...(conclusive ? [conclusive] : [])], succeeded?.finishedAt),
    ...(newest && { lastSyncStatus: newest.status }),
    ...(conclusive?.finishedAt && { lastSyncAt: conclusive.finishedAt }),
  });
}
