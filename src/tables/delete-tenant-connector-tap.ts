import { Artifact } from '../artifacts/artifact.js';
import { pointsAt, relationTo } from '../kernel/tenant-table.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { holdInstanceOfTap, lockTap } from './existing-tap.js';
import type { TableWatch } from './table-watch.js';

/**
 * The tap leaves every list and its table the workspace catalog; the rows stay. The file that it was published from is free to be deleted,
 * or published again.
 */
export async function deleteTenantConnectorTap(
  tx: WorkspaceTransaction,
  watch: Pick<TableWatch, 'left'>,
  id: string,
): Promise<void> {
  const { tenantId, userId } = tx.caller;
  await holdInstanceOfTap(tx.em, tenantId, id);
  const tap = await lockTap(tx, id, 'for update');
  const deletedAt = new Date();
  tx.change(tap, { deletedAt });
  await tx.em.nativeUpdate(Artifact, pointsAt('attributed_tap_id', id), {
    attributedTap: relationTo(tenantId, undefined),
    updatedAt: deletedAt,
    updatedBy: userId,
  });
  tx.record('connector_tap.deleted', tap);
  await tx.em.flush();
  await watch.left(tx, { tenantId, tapId: id });
}
