import { LockMode, ref } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { assignRoles } from './assign-roles.js';
import { grantableRoles } from './grantable-roles.js';
import { Invitation } from './invitation.js';
import { openInvitation } from './open-invitation.js';
import { spellAddress } from './spell-address.js';
import { User } from './user.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

const LIFETIME = 14 * 24 * 60 * 60 * 1_000;

/**
 * Makes a PENDING user with these roles, and the invitation that lets the person become that user. Of those who invite a
 * known address at once, the second sees what the first made of it.
 */
export async function inviteUser(
  tx: WorkspaceTransaction,
  { email: given, roleIds }: { email: string; roleIds: readonly string[] },
): Promise<Invitation> {
  const email = spellAddress(given);
  const roles = await grantableRoles(tx, roleIds);
  const known = await tx.em.findOne(User, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const user = known ?? tx.create(User, { email, name: email, status: 'DEACTIVATED' });
  await withdrawExpired(tx, user);
  if (user.status === 'PENDING') throw new AppError('CONFLICT', 'This address is invited already.');
  if (user.status !== 'DEACTIVATED')
    throw new AppError('CONFLICT', 'This address belongs to somebody in the workspace.');
  tx.change(user, { status: 'PENDING' });
  await tx.em.flush();
  await assignRoles(tx, user, roles);
  const expiresAt = new Date(Date.now() + LIFETIME);
  const invitation = tx.create(Invitation, { email, expiresAt, user: ref(user) });
  tx.record('invitation.made', invitation, { email, roleIds: roles.map(({ id }) => id) });
  return invitation;
}

/** Somebody whose invitation ran out may be invited again. */
async function withdrawExpired(tx: WorkspaceTransaction, user: User): Promise<void> {
  if (user.status === 'PENDING' && !(await openInvitation(tx.read, user.email)))
    tx.change(user, { status: 'DEACTIVATED' });
}
