import { relationEquals } from '../../kernel/entities/tenant-table.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { retireCredential } from '../credentials/submit-credential.js';
import { lockInstance } from '../find-instance.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';
import { TenantConnectorTap } from '../tenant-connector-tap.js';

/**
 * Removes the connection and its taps from all lists, and deletes the secrets of the connection. Keeps the tables of
 * the taps.
 */
export async function deleteConnectorInstance(
  tx: WorkspaceTransaction,
  secrets: SecretStore,
  id: string,
): Promise<void> {
  const instance = await lockInstance(tx, id);
  const credential = (await tx.read.byId(TenantConnectorInstance, id))?.credential;
  if (credential) await retireCredential(tx, secrets, credential, 'revoked');
  const deletedAt = new Date();
  await tx.em.nativeUpdate(
    TenantConnectorTap,
    { ...relationEquals('instance_id', id), deletedAt: null },
    { deletedAt, updatedAt: deletedAt, updatedBy: tx.caller.userId },
  );
  tx.update(instance, { deletedAt });
  tx.recordAudit('connector_instance.deleted', instance);
}
