import { findInstance } from '../../instances/find-instance.js';
import { AppError } from '../../kernel/errors.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import type { TableServices } from '../../tables/table-context.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { type SyncRequest, startSync } from '../runs/start-sync.js';
import { type DueSyncData, scheduleDueSync } from './due-sync-job.js';
import { findSchedule } from './read-schedule.js';
import { scheduleNextRun } from './schedule-next-run.js';

/**
 * Starts the sync of a connection if it is due, and schedules the next one. Does nothing for a deleted connection and
 * for a manual schedule. For a paused connection, only schedules the next start. If a sync is still open, it continues
 * and no new one starts.
 */
export async function startDueSync(services: TableServices, data: DueSyncData, job: RunningJob): Promise<void> {
  const { em, tables, jobs } = services;
  await writeAsCaller(em, tables, systemCaller(data.tenantId), job.id, async (tx) => {
    const instance = await findInstance(tx.read, data.instanceId);
    const schedule = await findSchedule(tx.read, data.instanceId);
    if (!instance || !schedule?.nextRunAt) return;
    const due = new Date(schedule.nextRunAt);
    if (due > new Date()) return scheduleDueSync(jobs, tx.em, data, due);
    if (!instance.schedulePaused) await startUnlessImpossible(tx, services, data.instanceId, 'schedule');
    await scheduleNextRun(tx, jobs, schedule, data.instanceId, { isNewKey: true });
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
