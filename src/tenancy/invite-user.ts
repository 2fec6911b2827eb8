import { ref } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { assignRoles } from './assign-roles.js';
import { grantableRoles } from './grantable-roles.js';
import { Invitation } from './invitation.js';
import { User } from './user.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

const LIFETIME = 14 * 24 * 60 * 60 * 1_000;

/** Makes a PENDING user with these roles, and the invitation that lets the person become that user. */
export async function inviteUser(
  tx: WorkspaceTransaction,
  { email: given, roleIds }: { email: string; roleIds: readonly string[] },
): Promise<Invitation> {
  const email = given.toLowerCase();
  const roles = await grantableRoles(tx, roleIds);
  const user = (await tx.em.findOne(User, { email })) ?? tx.create(User, { email, name: email, status: 'DEACTIVATED' });
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
  if (user.status !== 'PENDING') return;
  const open = { email: user.email, acceptedAt: null, revokedAt: null };
  const isOpen = await tx.em.count(Invitation, { ...open, expiresAt: { $gt: new Date() } });
  if (!isOpen) tx.change(user, { status: 'DEACTIVATED' });
}
