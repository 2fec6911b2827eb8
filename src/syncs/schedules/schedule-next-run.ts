import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { SyncSchedule } from '../sync-schedule.js';
import { scheduleDueSync } from './due-sync-job.js';
import { nextRunAt } from './next-run-at.js';
import { timesOf } from './read-schedule.js';

/** Saves the next start of a connection after now, and schedules it. A schedule without times has none. */
export async function scheduleNextRun(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  schedule: SyncSchedule,
  instanceId: string,
): Promise<void> {
  const next = nextRunAt(timesOf(schedule), instanceId, new Date());
  tx.update(schedule, { nextRunAt: next ?? (null as never) });
  await tx.em.flush();
  if (next) await scheduleDueSync(jobs, tx.em, { tenantId: tx.caller.tenantId, instanceId }, next);
}
