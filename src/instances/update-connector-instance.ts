import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { UpdateConnectorInstanceArgs } from './connector-instance.inputs.js';
import { lockInstance } from './existing-instance.js';

/** Changes fields that need no credentials. Without any, the connection stays as it is. */
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
  tx.change(instance, changes);
  tx.record('connector_instance.updated', instance, changes);
}
