import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { nextRunAt } from './next-run-at.js';
import { type StoredTimes, timesOf } from './read-schedule.js';

const SAVE_NEXT_RUN = `
update sync_schedule set next_run_at = ?, updated_at = now(), updated_by = ? where tenant_id = ? and id = ?`;

/** For a manual schedule, saves null and returns undefined. */
export async function saveNextRun(
  tx: WorkspaceTransaction,
  schedule: StoredTimes & { readonly id: string },
  instanceId: string,
  after = new Date(),
): Promise<Date | undefined> {
  const next = nextRunAt(timesOf(schedule), instanceId, after);
  const { tenantId, userId } = tx.caller;
  await deferPrepared(tx.em, SAVE_NEXT_RUN, [next ?? null, ...[userId, tenantId, schedule.id].map(decodeId)]);
  return next;
}
