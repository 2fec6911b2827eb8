import { LockMode } from '@mikro-orm/core';
import type { Identity } from './access-token.js';
import { Invitation } from './invitation.js';
import { User } from './user.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/**
 * The first sign-in: whoever brings a verified address that was invited becomes the user who waits under it. The row of the
 * invitation is locked, so that it is accepted once however many requests come first.
 */
export async function acceptInvitation(tx: WorkspaceTransaction, identity: Identity): Promise<void> {
  const { issuer, subject, email, name } = identity;
  if (!email) return;
  const open = { email, acceptedAt: null, revokedAt: null, expiresAt: { $gt: new Date() } };
  const invitation = await tx.em.findOne(Invitation, open, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!invitation) return;
  const user = await tx.em.findOneOrFail(User, { id: invitation.user.id });
  if (user.status !== 'PENDING') return;
  tx.change(user, { issuer, subject, name: name ?? user.name, status: 'ACTIVE' });
  tx.change(invitation, { acceptedAt: new Date() });
  tx.record('invitation.accepted', invitation, { userId: user.id });
}
