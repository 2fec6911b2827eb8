import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { lockInstance } from '../find-instance.js';
import type { UpdateConnectorInstanceArgs } from './connector-instance.inputs.js';

/** If the client sends none of the fields, keeps `updatedAt` and writes no audit entry. */
export async function updateConnectorInstance(
  tx: WorkspaceTransaction,
  { id, name, enabled, schedulePaused }: UpdateConnectorInstanceArgs,
): Promise<void> {
  const changes = {
    ...(name !== undefined && { name: name as string }),
    ...(typeof enabled === 'boolean' && { enabled }),
    ...(typeof schedulePaused === 'boolean' && { schedulePaused }),
  };
  const instance = await lockInstance(tx, id);
  if (Object.keys(changes).length === 0) return;
  tx.update(instance, changes);
  tx.recordAudit('connector_instance.updated', instance, changes);
}
