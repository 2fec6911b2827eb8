import { AppError } from '../../kernel/errors.js';
import { hasPermission, type Permission } from '../permissions.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { reloadCaller } from './find-caller.js';

/** For the end of what takes long. Throws FORBIDDEN where the key was revoked meanwhile, the user suspended or the permission taken away. */
export async function recheckPermission({ read, caller }: WorkspaceTransaction, permission: Permission): Promise<void> {
  const found = await reloadCaller(read, caller);
  if (!found || !hasPermission(found.grants, permission))
    throw new AppError('FORBIDDEN', `The permission ${permission} was taken away meanwhile.`);
}
