import { LockMode } from '@mikro-orm/core';
import { AppError } from '../../kernel/errors.js';
import { Invitation } from '../invitation.js';
import { User } from '../user.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { findOpenInvitation } from './find-open-invitation.js';

/**
 * Deactivates the invited user, unless another invitation of the same address is open. Idempotent. Throws NOT_FOUND if
 * the invitation does not exist, and CONFLICT if it was accepted.
 */
export async function revokeInvite(tx: WorkspaceTransaction, id: string): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const invitation = await tx.em.findOne(Invitation, { id }, { lockMode });
  if (!invitation) throw new AppError('NOT_FOUND', 'The invitation does not exist.');
  if (invitation.acceptedAt)
    throw new AppError('CONFLICT', 'The invitation was already accepted. Deactivate the user instead.');
  if (invitation.revokedAt) return;
  const user = await tx.em.findOneOrFail(User, { id: invitation.user.id }, { lockMode });
  tx.update(invitation, { revokedAt: new Date() });
  if (user.status === 'PENDING' && !(await findOpenInvitation(tx.read, invitation.email, id)))
    tx.update(user, { status: 'DEACTIVATED' });
  tx.recordAudit('invitation.revoked', invitation, { email: invitation.email });
}
