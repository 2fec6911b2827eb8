import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode, modeFaultOf, modeOf, type TapRunMode } from '../../catalog/model/table-mode.js';
import { SyncJob } from '../../instances/sync-job.js';
import { OPEN_STATUSES } from '../../instances/sync-job-status.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { relationEquals } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { lockInstanceOfTap, lockTap } from '../existing-tap.js';
import { hasRowsWithoutKeys } from '../merge/has-rows-without-keys.js';
import { requireFeed, requireNoFeeders } from '../merge/require-feed.js';
import type { UpdateTenantConnectorTapArgs } from '../tenant-connector-tap.inputs.js';

const RESET_FIRST = 'If the tap is a pulled tap, reset the tap first.';

/**
 * Changes a tap. A disabled tap receives no new records, but its table stays in the workspace catalog. Throws NOT_FOUND
 * if the tap does not exist. Throws CONFLICT if the definition, the rows of the table, a feeding tap or an open sync
 * does not allow the new `mode` or `feedsTapId`.
 */
export async function updateTenantConnectorTap(
  tx: WorkspaceTransaction,
  { id, enabled, mode, deletedRows, driftPolicy, feedsTapId }: UpdateTenantConnectorTapArgs,
): Promise<void> {
  // Locks the connection first, so that no sync starts until the transaction ends.
  if (mode !== undefined || feedsTapId !== undefined) await lockInstanceOfTap(tx.em, tx.caller.tenantId, id);
  const tap = await lockTap(tx, id);
  const changes = {
    ...(enabled !== undefined && enabled !== tap.enabled && { enabled }),
    ...(mode !== undefined && mode !== (tap.mode ?? null) && { mode }),
    ...(deletedRows !== undefined && deletedRows !== tap.deletedRows && { deletedRows }),
    ...(driftPolicy !== undefined &&
      driftPolicy !== tap.driftPolicy && { driftPolicy, ...(tap.refusedFields && { refusedFields: null }) }),
    ...(feedsTapId !== undefined && feedsTapId !== (tap.feedsTapId ?? null) && { feedsTapId }),
  };
  if (Object.keys(changes).length === 0) return;
  if ('mode' in changes) await requireMode(tx, tap, mode ?? undefined);
  if ('feedsTapId' in changes) await requireNewFeed(tx, tap, feedsTapId);
  tx.update(tap, changes as Partial<TenantConnectorTap>);
  tx.recordAudit('connector_tap.updated', tap, changes);
}

async function requireNewFeed(
  tx: WorkspaceTransaction,
  tap: TenantConnectorTap,
  feedsTapId: string | null | undefined,
): Promise<void> {
  if (await hasOpenSync(tx, tap))
    throw new AppError('CONFLICT', 'A sync of the connection is open. Wait until the sync ends, or cancel the sync.');
  const own = (await tx.read.byId(TenantConnectorTap, tap.id)) as Lean<TenantConnectorTap>;
  if (feedsTapId) await requireFeed(tx.read, own, feedsTapId);
}

async function requireMode(
  tx: WorkspaceTransaction,
  tap: TenantConnectorTap,
  mode: TapRunMode | undefined,
): Promise<void> {
  const definition = tap.tap && (await tx.read.byId(ConnectorTap, tap.tap.id));
  const [before, after] = [modeOf(tap, definition), modeOf({ mode }, definition)];
  const fault = modeFaultOf(after, definition);
  if (fault) throw new AppError('CONFLICT', fault);
  if (before !== after && after === 'upsert' && !tap.resetAt && (await keepsHistory(tx.read, tap)))
    throw new AppError(
      'CONFLICT',
      `The mode cannot become upsert, because the table has a history with several rows per record. ${RESET_FIRST}`,
    );
  if (after === 'history' && !tap.resetAt && (await isMergedByReaders(tx.read, tap)))
    throw new AppError(
      'CONFLICT',
      `The mode cannot become history, because readers, and not the service, merge the changes of the table. ${RESET_FIRST}`,
    );
  if (!isMergedMode(after))
    await requireNoFeeders(tx.read, tap.id, `The mode cannot become ${after}, because other taps feed this tap.`);
  // If the table has rows without keys, the next full read replaces all rows (see `nextModeOf`).
  if (!isMergedMode(after) || definition?.sync.mode === 'full') return;
  if (!tap.resetAt && (await hasRowsWithoutKeys(tx.read, tap)))
    throw new AppError(
      'CONFLICT',
      `The mode cannot become ${after}: the table has rows without a stored primary key, and newer versions of a record could not replace these rows. ${RESET_FIRST}`,
    );
  if (!isMergedMode(before) && (await hasOpenSync(tx, tap)))
    throw new AppError(
      'CONFLICT',
      `The mode cannot become ${after} while a sync of the connection is open, because the sync may append rows. Wait until the sync ends, or cancel the sync.`,
    );
}

/** A table keeps its history in any mode until all rows are replaced. */
async function keepsHistory(read: Reader, { id }: TenantConnectorTap): Promise<boolean> {
  return (await read.many(CatalogTable, 'tap', id)).some(({ hasHistory, rows }) => hasHistory && rows > 0);
}

async function isMergedByReaders(read: Reader, { id }: TenantConnectorTap): Promise<boolean> {
  return (await read.many(CatalogTable, 'tap', id)).some(({ mergedBy }) => mergedBy === 'reader');
}

async function hasOpenSync({ em }: WorkspaceTransaction, { instance }: TenantConnectorTap): Promise<boolean> {
  if (!instance) return false;
  const condition = { ...relationEquals('instance_id', instance.id), status: { $in: [...OPEN_STATUSES] } };
  return (await em.count(SyncJob, { ...condition, trigger: { $ne: 'external' } })) > 0;
}
