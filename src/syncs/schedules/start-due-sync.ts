import { tryLockInstance } from '../../instances/find-instance.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import type { TableServices } from '../../tables/table-context.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { type SyncRequest, startSync } from '../runs/start-sync.js';
import { findSchedule } from './read-schedule.js';
import { saveNextRun } from './save-next-run.js';

/** The clock of the database decides what is due, because the clocks of the processes differ. */
const SELECT_DUE = `
select extract(epoch from now()) * 1000 from sync_schedule
where tenant_id = $1 and instance_id = $2 and next_run_at <= now()`;

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
    const instance = await tryLockInstance(tx, instanceId); // so that the schedule does not change
    const [due] = await tx.read.rows(SELECT_DUE, [tenantId, instanceId].map(decodeId));
    const schedule = due && (await findSchedule(tx.read, instanceId));
    if (!instance || !schedule) return;
    if (!instance.schedulePaused) await startUnlessImpossible(tx, services, instanceId, 'schedule');
    await saveNextRun(tx, schedule, instanceId, new Date(Number(due[0])));
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
