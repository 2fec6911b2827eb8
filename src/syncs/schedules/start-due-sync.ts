import { findInstance } from '../../instances/find-instance.js';
import { AppError } from '../../kernel/errors.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import type { TableServices } from '../../tables/table-context.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { type SyncRequest, startSync } from '../runs/start-sync.js';
import { findSchedule } from './read-schedule.js';
import { saveNextRun } from './save-next-run.js';

/**
 * Starts the sync of a connection if it is due, and saves the time of the next sync. Does nothing for a deleted
 * connection and for a manual schedule. A paused connection only keeps its schedule. If a sync is still open, it
 * continues and no new sync starts.
 */
export async function startDueSync(
  services: TableServices,
  { tenantId, instanceId }: { readonly tenantId: string; readonly instanceId: string },
  job: RunningJob,
): Promise<void> {
  const { em, tables } = services;
  await writeAsCaller(em, tables, systemCaller(tenantId), job.id, async (tx) => {
    const instance = await findInstance(tx.read, instanceId);
    const schedule = await findSchedule(tx.read, instanceId);
    if (!instance || !schedule?.nextRunAt || new Date(schedule.nextRunAt) > new Date()) return;
    if (!instance.schedulePaused) await startUnlessImpossible(tx, services, instanceId, 'schedule');
    await saveNextRun(tx, schedule, instanceId);
  });
}

/** A connection that is disabled or has no tap to read keeps its schedule. */
export async function startUnlessImpossible(
  tx: WorkspaceTransaction,
  services: TableServices,
  id: string,
  trigger: SyncRequest['trigger'],
): Promise<void> {
  await startSync(tx, services, id, { trigger }).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
  });
}
