import { AppError } from '../../kernel/errors.js';
import { hasPermission, type Permission } from '../permissions.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { reloadCaller } from './find-caller.js';

/**
 * Checks a permission again at the end of a long request. Throws FORBIDDEN if the caller has lost the permission or all
 * access to the workspace.
 */
export async function recheckPermission({ read, caller }: WorkspaceTransaction, permission: Permission): Promise<void> {
  const found = await reloadCaller(read, caller);
  if (!found || !hasPermission(found.grants, permission))
    throw new AppError('FORBIDDEN', `The caller lost the permission ${permission} during the request.`);
}
