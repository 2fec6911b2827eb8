import { LockMode, ref } from '@mikro-orm/core';
import { AppError } from '../../kernel/errors.js';
import { Invitation } from '../invitation.js';
import { assignRoles } from '../roles/assign-roles.js';
import { readGrantableRoles } from '../roles/grantable-roles.js';
import { User } from '../user.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { normalizeEmail } from './email-address.js';
import { findOpenInvitation } from './find-open-invitation.js';

const INVITATION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1_000;

/**
 * Creates a PENDING user, or sets a deactivated user with this address to PENDING. The first sign-in activates the
 * user. Throws CONFLICT if the person has an open invitation or is already a member. Locks the row of a known user, so
 * that one of two concurrent invitations fails. Throws the errors of `readGrantableRoles`.
 */
export async function inviteUser(
  tx: WorkspaceTransaction,
  { email: given, roleIds }: { email: string; roleIds: readonly string[] },
): Promise<Invitation> {
  const email = normalizeEmail(given);
  const roles = await readGrantableRoles(tx, roleIds);
  const known = await tx.em.findOne(User, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const user = known ?? tx.create(User, { email, name: email, status: 'DEACTIVATED' });
  await withdrawExpired(tx, user);
  if (user.status === 'PENDING')
    throw new AppError('CONFLICT', 'This email address is already invited. Revoke the invitation first.');
  if (user.status !== 'DEACTIVATED')
    throw new AppError('CONFLICT', 'This email address belongs to a user of the workspace.');
  tx.update(user, { status: 'PENDING' });
  await tx.em.flush();
  await assignRoles(tx, user, roles);
  const expiresAt = new Date(Date.now() + INVITATION_LIFETIME_MS);
  const invitation = tx.create(Invitation, { email, expiresAt, user: ref(user) });
  tx.recordAudit('invitation.made', invitation, { email, roleIds: roles.map(({ id }) => id) });
  return invitation;
}

/** Deactivates a user whose invitation has expired, so that a caller can invite the user again. */
async function withdrawExpired(tx: WorkspaceTransaction, user: User): Promise<void> {
  if (user.status === 'PENDING' && !(await findOpenInvitation(tx.read, user.email)))
    tx.update(user, { status: 'DEACTIVATED' });
}
