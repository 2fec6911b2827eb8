import { executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { EnqueueOptions } from '../../kernel/jobs/enqueue-job.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { scheduleDueSync } from './due-sync-job.js';
import { nextRunAt } from './next-run-at.js';
import { type StoredTimes, timesOf } from './read-schedule.js';

const SAVE_NEXT_RUN = `
update sync_schedule set next_run_at = ?, updated_at = now(), updated_by = ? where tenant_id = ? and id = ?`;

/** Saves and schedules the next start of a connection. A manual schedule has no next start. */
export async function scheduleNextRun(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  schedule: StoredTimes & { readonly id: string },
  instanceId: string,
  options: Pick<EnqueueOptions, 'isNewKey'> = {},
): Promise<void> {
  const next = nextRunAt(timesOf(schedule), instanceId, new Date());
  const { tenantId, userId } = tx.caller;
  await tx.em.flush(); // the schedule may be new
  await executePrepared(tx.em, SAVE_NEXT_RUN, [next ?? null, ...[userId, tenantId, schedule.id].map(decodeId)]);
  if (next) await scheduleDueSync(jobs, tx.em, { tenantId, instanceId }, next, options);
}
