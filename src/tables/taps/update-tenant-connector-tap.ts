import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { lockTap } from '../existing-tap.js';
import type { UpdateTenantConnectorTapArgs } from '../tenant-connector-tap.inputs.js';

/** A disabled tap rejects records, but its table stays in the workspace catalog. */
export async function updateTenantConnectorTap(
  tx: WorkspaceTransaction,
  { id, enabled }: UpdateTenantConnectorTapArgs,
): Promise<void> {
  const tap = await lockTap(tx, id);
  if (enabled === undefined || enabled === tap.enabled) return;
  tx.update(tap, { enabled });
  tx.recordAudit('connector_tap.updated', tap, { enabled });
}
