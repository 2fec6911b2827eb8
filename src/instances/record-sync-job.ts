import { ref } from '@mikro-orm/core';
import { relationEquals } from '../kernel/entities/tenant-table.js';
import { AppError } from '../kernel/errors.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { lockInstance } from './find-instance.js';
import { hasSucceeded, saveSyncState } from './save-sync-state.js';
import type { SyncJobInput } from './sync-job.inputs.js';
import { SyncJob } from './sync-job.js';
import { canTransition, isFinishedSyncJob, SUCCEEDED_STATUSES } from './sync-job-status.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';

/**
 * Returns the id of the job. A repeated report of a final status changes nothing, even if other values differ. Throws
 * CONFLICT for a transition to an earlier status, or from one final status to another.
 */
export async function recordSyncJob(tx: WorkspaceTransaction, input: SyncJobInput): Promise<string> {
  const instance = await lockInstance(tx, input.instanceId);
  const ofInstance = relationEquals('instance_id', instance.id);
  const existing = await tx.em.findOne(SyncJob, { ...ofInstance, externalId: input.externalId });
  const job = existing ?? (await newJob(tx, instance, input));
  if (!canTransition(job.status, input.status))
    throw new AppError('CONFLICT', `The status of the job is ${job.status} and cannot change to ${input.status}.`);
  if (isFinishedSyncJob(job.status) && existing) return job.id;
  const isStatusChange = existing?.status !== input.status;
  tx.update(job, reportedValues(job, input));
  await tx.em.flush();
  await saveSyncState(tx, instance);
  // Audits only changes of the status, because runners report progress often.
  if (isStatusChange) tx.recordAudit('sync_job.reported', job, { status: input.status });
  return job.id;
}

async function newJob(
  tx: WorkspaceTransaction,
  instance: TenantConnectorInstance,
  { externalId, status }: SyncJobInput,
): Promise<SyncJob> {
  // If the first report has a final status, the job changes from `pending` to this status.
  const from = isFinishedSyncJob(status) ? 'pending' : status;
  const isInitial = !(await hasSucceeded(tx, instance.id));
  return tx.create(SyncJob, { instance: ref(instance), externalId, trigger: 'external', status: from, isInitial });
}

function reportedValues(job: SyncJob, input: SyncJobInput): Partial<SyncJob> {
  const { status, recordsRead, recordsWritten, recordsRejected, errorCode, errorMessage, qualityDegraded } = input;
  const given = { recordsRead, recordsWritten, recordsRejected, errorCode, errorMessage, qualityDegraded };
  const now = new Date();
  const past = (time: Date | null | undefined): Date => (time && time < now ? time : now);
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as Partial<SyncJob>),
    status,
    // Changes with every report, because a report proves that the runner is alive.
    updatedAt: now,
    ...(!job.startedAt && status === 'running' && { startedAt: past(input.startedAt) }),
    ...(SUCCEEDED_STATUSES.includes(status) &&
      !errorCode && { errorCode: null as never, errorMessage: (errorMessage ?? null) as never }),
    ...(isFinishedSyncJob(status) && {
      startedAt: job.startedAt ?? past(input.startedAt ?? input.finishedAt),
      finishedAt: past(input.finishedAt),
    }),
  };
}
