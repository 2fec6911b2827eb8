import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { lockTap } from './existing-tap.js';
import type { UpdateTenantConnectorTapArgs } from './tenant-connector-tap.inputs.js';

/** A tap that is disabled stays in the workspace catalog with all that it brought, and takes nothing more. */
export async function updateTenantConnectorTap(
  tx: WorkspaceTransaction,
  { id, enabled }: UpdateTenantConnectorTapArgs,
): Promise<void> {
  const tap = await lockTap(tx, id);
  if (tap.enabled === enabled) return;
  tx.change(tap, { enabled });
  tx.record('connector_tap.updated', tap, { enabled });
}
