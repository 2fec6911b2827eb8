import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { modeFaultOf, modeOf, type TapRunMode } from '../../catalog/model/table-mode.js';
import type { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { AppError } from '../../kernel/errors.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { lockTap } from '../existing-tap.js';
import { hasRowsWithoutKeys } from '../merge/has-rows-without-keys.js';
import type { UpdateTenantConnectorTapArgs } from '../tenant-connector-tap.inputs.js';

/**
 * Changes a tap. A disabled tap rejects records, but its table stays in the workspace catalog. Throws CONFLICT if the
 * definition or the rows of the table do not allow the mode.
 */
export async function updateTenantConnectorTap(
  tx: WorkspaceTransaction,
  { id, enabled, mode, deletedRows }: UpdateTenantConnectorTapArgs,
): Promise<void> {
  const tap = await lockTap(tx, id);
  const changes = {
    ...(enabled !== undefined && enabled !== tap.enabled && { enabled }),
    ...(mode !== undefined && mode !== (tap.mode ?? null) && { mode }),
    ...(deletedRows !== undefined && deletedRows !== tap.deletedRows && { deletedRows }),
  };
  if (Object.keys(changes).length === 0) return;
  if ('mode' in changes) await requireMode(tx, tap, mode ?? undefined);
  tx.update(tap, changes as Partial<TenantConnectorTap>);
  tx.recordAudit('connector_tap.updated', tap, changes);
}

async function requireMode(
  { read }: WorkspaceTransaction,
  tap: TenantConnectorTap,
  mode: TapRunMode | undefined,
): Promise<void> {
  const definition = tap.tap && (await read.byId(ConnectorTap, tap.tap.id));
  const [before, after] = [modeOf(tap, definition), modeOf({ mode }, definition)];
  const fault = modeFaultOf(after, definition);
  if (fault) throw new AppError('CONFLICT', fault);
  const isNew = after === 'upsert' && before !== 'upsert';
  // A tap that is read in full replaces these rows in its next run.
  if (isNew && definition?.sync.mode !== 'full' && (await hasRowsWithoutKeys(read, tap)))
    throw new AppError(
      'CONFLICT',
      'The table has rows that were stored without their primary key. New versions could not replace them.',
    );
}
