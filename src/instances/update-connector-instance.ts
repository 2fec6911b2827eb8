import { AppError } from '../kernel/errors.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import type { UpdateConnectorInstanceArgs } from './connector-instance.inputs.js';
import { lockInstance } from './existing-instance.js';

/** Changes what needs no credentials: the name, and whether it is in use. */
export async function updateConnectorInstance(
  tx: WorkspaceTransaction,
  { id, name, enabled, schedulePaused }: UpdateConnectorInstanceArgs,
): Promise<void> {
  const changes = {
    ...(name !== undefined && { name: name as string }),
    ...(typeof enabled === 'boolean' && { enabled }),
    ...(typeof schedulePaused === 'boolean' && { schedulePaused }),
  };
  if (Object.keys(changes).length === 0) throw new AppError('BAD_REQUEST', 'Nothing is to be changed.');
  const instance = await lockInstance(tx, id);
  tx.change(instance, changes);
  tx.record('connector_instance.updated', instance, changes);
}
