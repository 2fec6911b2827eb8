import { LockMode } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { Invitation } from './invitation.js';
import { User } from './user.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/** Takes an invitation back that was not accepted. One that is revoked already stays so. */
export async function revokeInvite(tx: WorkspaceTransaction, id: string): Promise<void> {
  const invitation = await tx.em.findOne(Invitation, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!invitation) throw new AppError('NOT_FOUND', 'There is no invitation of that id.');
  if (invitation.acceptedAt) throw new AppError('CONFLICT', 'The invitation has been accepted.');
  if (invitation.revokedAt) return;
  const user = await tx.em.findOneOrFail(User, { id: invitation.user.id });
  tx.change(invitation, { revokedAt: new Date() });
  if (user.status === 'PENDING') tx.change(user, { status: 'DEACTIVATED' });
  tx.record('invitation.revoked', invitation, { email: invitation.email });
}
