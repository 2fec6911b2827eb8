import { LockMode } from '@mikro-orm/core';
import { Invitation } from '../invitation.js';
import { findOpenInvitation, invitationStatusOf } from '../members/find-open-invitation.js';
import { parseLocale, parseTimezone } from '../members/locale-and-timezone.js';
import { User } from '../user.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import type { Identity } from './access-token.js';

/**
 * At the first sign-in, activates the PENDING user with the verified email address of the token. Does nothing without
 * an open invitation. A lock ensures that concurrent first requests accept the invitation only once.
 */
export async function acceptInvitation(tx: WorkspaceTransaction, identity: Identity): Promise<void> {
  const { issuer, subject, email, name } = identity;
  const open = email && (await findOpenInvitation(tx.read, email));
  if (!open) return;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const invitation = await tx.em.findOneOrFail(Invitation, { id: open.id }, { lockMode });
  const user = await tx.em.findOneOrFail(User, { id: invitation.user.id });
  if (invitationStatusOf(invitation) !== 'pending' || user.status !== 'PENDING') return;
  // The person may have another user in this workspace, with a former email address. The identity moves to the invited
  // user.
  await tx.em.nativeUpdate(User, { issuer, subject, id: { $ne: user.id } }, { issuer: null, subject: null } as never);
  tx.update(user, {
    ...{ issuer, subject, name: name ?? user.name, status: 'ACTIVE' },
    ...localeAndTimezoneOf(identity),
  });
  tx.update(invitation, { acceptedAt: new Date() });
  tx.recordAudit('invitation.accepted', invitation, { userId: user.id });
}

/** Claims of OpenID Connect Core, section 5.1. Some providers write locales with `_`. */
function localeAndTimezoneOf(identity: Identity): { locale?: string; timezone?: string } {
  const locale = identity.locale && parseLocale(identity.locale.replaceAll('_', '-'));
  const timezone = identity.timezone && parseTimezone(identity.timezone);
  return { ...(locale && { locale }), ...(timezone && { timezone }) };
}
