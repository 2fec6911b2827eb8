import { LockMode } from '@mikro-orm/core';
import type { Identity } from './access-token.js';
import { Invitation } from './invitation.js';
import { readLocale, readTimeZone } from './language-and-zone.js';
import { openInvitation, statusOf } from './open-invitation.js';
import { User } from './user.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

/**
 * The first sign-in: whoever brings a verified address that was invited becomes the user who waits under it. The row of the
 * invitation is locked, so that it is accepted once however many requests come first.
 */
export async function acceptInvitation(tx: WorkspaceTransaction, identity: Identity): Promise<void> {
  const { issuer, subject, email, name } = identity;
  const open = email && (await openInvitation(tx.read, email));
  if (!open) return;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const invitation = await tx.em.findOneOrFail(Invitation, { id: open.id }, { lockMode });
  const user = await tx.em.findOneOrFail(User, { id: invitation.user.id });
  if (statusOf(invitation) !== 'pending' || user.status !== 'PENDING') return;
  // Somebody who waits under another address as well is this user from now on.
  await tx.em.nativeUpdate(User, { issuer, subject, id: { $ne: user.id } }, { issuer: null, subject: null } as never);
  tx.change(user, {
    ...{ issuer, subject, name: name ?? user.name, status: 'ACTIVE' },
    ...languageAndZoneOf(identity),
  });
  tx.change(invitation, { acceptedAt: new Date() });
  tx.record('invitation.accepted', invitation, { userId: user.id });
}

/** What the claims of OpenID Connect Core, section 5.1, say that is a language, by some providers with `_`, and a time zone. */
function languageAndZoneOf(identity: Identity): { locale?: string; timezone?: string } {
  const locale = identity.locale && readLocale(identity.locale.replaceAll('_', '-'));
  const timezone = identity.timezone && readTimeZone(identity.timezone);
  return { ...(locale && { locale }), ...(timezone && { timezone }) };
}
