import { AppError } from '../kernel/errors.js';
import { findCallerAgain } from './find-caller.js';
import { allows, type Permission } from './permissions.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/** For the end of what takes long. Throws FORBIDDEN where the key was revoked meanwhile, the user suspended or the permission taken away. */
export async function requireStillAllowed(
  { read, caller }: WorkspaceTransaction,
  permission: Permission,
): Promise<void> {
  const found = await findCallerAgain(read, caller);
  if (!found || !allows(found.grants, permission))
    throw new AppError('FORBIDDEN', `The permission ${permission} was taken away meanwhile.`);
}
