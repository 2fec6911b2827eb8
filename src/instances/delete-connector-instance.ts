import { pointsAt } from '../kernel/tenant-table.js';
import type { SecretStore } from '../secrets/secret-store.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { lockInstance } from './existing-instance.js';
import { retireCredential } from './submit-credential.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

/** The connection and its taps leave every list, its secrets are destroyed; the data that it brought stays. */
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
    { ...pointsAt('instance_id', id), deletedAt: null },
    { deletedAt, updatedAt: deletedAt, updatedBy: tx.caller.userId },
  );
  tx.change(instance, { deletedAt });
  tx.record('connector_instance.deleted', instance);
}
