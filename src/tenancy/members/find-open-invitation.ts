import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { Invitation, type InvitationStatus } from '../invitation.js';

type InvitationTimes = { acceptedAt?: Date | string; revokedAt?: Date | string; expiresAt: Date | string };

export function invitationStatusOf({ acceptedAt, revokedAt, expiresAt }: InvitationTimes): InvitationStatus {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return new Date(expiresAt).getTime() > Date.now() ? 'pending' : 'expired';
}

const MAX_INVITATIONS_PER_ADDRESS = 100;

/** Ignores the invitation with the id `except`. */
export async function findOpenInvitation(
  read: Reader,
  email: string,
  except?: string,
): Promise<Lean<Invitation> | undefined> {
  const invitations = await read.select(Invitation, { where: 'email = $1', limit: MAX_INVITATIONS_PER_ADDRESS }, [
    email,
  ]);
  return invitations.find((invitation) => invitation.id !== except && invitationStatusOf(invitation) === 'pending');
}
