import { LockMode } from '@mikro-orm/core';
import { Invitation } from '../invitation.js';
import { findOpenInvitation, invitationStatusOf } from '../members/find-open-invitation.js';
import { parseLocale, parseTimezone } from '../members/locale-and-timezone.js';
import { User } from '../user.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import type { Identity } from './access-token.js';

/**
 * Activates the PENDING user with the verified email address of the token, at the user's first sign-in. Does nothing
 * without an open invitation. Locks the invitation, so that concurrent first requests accept it once.
 */
export async function acceptInvitation(tx: WorkspaceTransaction, identity: Identity): Promise<void> {
  const { issuer, subject, email, name } = identity;
  const open = email && (await findOpenInvitation(tx.read, email));
  if (!open) return;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const invitation = await tx.em.findOneOrFail(Invitation, { id: open.id }, { lockMode });
  const user = await tx.em.findOneOrFail(User, { id: invitation.user.id });
  if (invitationStatusOf(invitation) !== 'pending' || user.status !== 'PENDING') return;
  // Another user, with a former email address of this person, may have this identity. The identity now belongs to the
  // invited user.
  await tx.em.nativeUpdate(User, { issuer, subject, id: { $ne: user.id } }, { issuer: null, subject: null } as never);
  tx.update(user, {
    ...{ issuer, subject, name: name ?? user.name, status: 'ACTIVE' },
    ...localeAndTimezoneOf(identity),
  });
  tx.update(invitation, { acceptedAt: new Date() });
  tx.recordAudit('invitation.accepted', invitation, { userId: user.id });
}

/**
 * Returns the claims `locale` and `zoneinfo` (OpenID Connect Core, section 5.1), if they are valid. Some providers
 * write locales with `_`.
 */
function localeAndTimezoneOf(identity: Identity): { locale?: string; timezone?: string } {
  const locale = identity.locale && parseLocale(identity.locale.replaceAll('_', '-'));
  const timezone = identity.timezone && parseTimezone(identity.timezone);
  return { ...(locale && { locale }), ...(timezone && { timezone }) };
}
