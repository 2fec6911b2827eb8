import { Artifact } from '../../artifacts/artifact.js';
import { relationEquals, relationValue } from '../../kernel/entities/tenant-table.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { lockInstanceOfTap, lockTap } from '../existing-tap.js';
import type { TableHooks } from '../table-hooks.js';

/**
 * Removes the tap from all lists, and its table from the workspace catalog. Keeps the rows. If the tap was published
 * from a file, callers can afterwards delete the file or publish it again. Throws NOT_FOUND if the tap does not exist.
 */
export async function deleteTenantConnectorTap(
  tx: WorkspaceTransaction,
  hooks: Pick<TableHooks, 'onTapDeleted'>,
  id: string,
): Promise<void> {
  const { tenantId, userId } = tx.caller;
  await lockInstanceOfTap(tx.em, tenantId, id);
  const tap = await lockTap(tx, id, 'for update');
  const deletedAt = new Date();
  tx.update(tap, { deletedAt });
  await tx.em.nativeUpdate(Artifact, relationEquals('attributed_tap_id', id), {
    attributedTap: relationValue(tenantId, undefined),
    updatedAt: deletedAt,
    updatedBy: userId,
  });
  tx.recordAudit('connector_tap.deleted', tap);
  await tx.em.flush();
  await hooks.onTapDeleted(tx, { tenantId, tapId: id });
}
