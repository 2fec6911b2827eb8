import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TableServices } from '../../tables/table-context.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { lockForStart, startLockedSync } from '../lifecycle/start-sync.js';
import { SyncSchedule } from '../sync-schedule.js';
import { saveNextRun } from './save-next-run.js';

/** The clock of the database determines which syncs are due, because the clocks of the processes differ. */
const isDueSql = (select: string): string =>
  `select due.*, extract(epoch from now()) * 1000 from (${select} where instance_id = $1 and next_run_at <= now() and tenant_id = $2) due`;

/**
 * Does nothing for a deleted connection and for a manual schedule. For a paused connection, only saves the time of the
 * next sync. If a sync is still open, adds the missing taps to it instead of starting a new sync.
 */
export async function startDueSync(
  tx: WorkspaceTransaction,
  services: TableServices,
  instanceId: string,
): Promise<void> {
  const connection = await lockForStart(tx, services, instanceId); // The lock prevents changes of the schedule.
  const [[due]] = await Promise.all([
    tx.read.notedRows(SyncSchedule, ({ select }) => isDueSql(select), [decodeId(instanceId)]),
    tx.read.many(TenantConnectorTap, 'instance', instanceId), // Preloads the taps for `startLockedSync`.
  ]);
  if (!connection || !due) return;
  if (!connection.instance.schedulePaused)
    await unlessImpossible(startLockedSync(tx, services, connection, { trigger: 'schedule' }));
  await saveNextRun(tx, due.row as unknown as Lean<SyncSchedule>, instanceId, new Date(Number(due.note)));
}

/** Ignores a CONFLICT. The schedule continues even if the connection is disabled or has no tap to read. */
export async function unlessImpossible(started: Promise<unknown>): Promise<void> {
  await started.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
  });
}
