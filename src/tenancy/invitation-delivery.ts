import type { Logger } from 'pino';
import type { Invitation } from './invitation.js';

/** A driver must not throw, because the invitation remains valid and listed if its delivery fails. */
export interface InvitationDelivery {
  deliver(invitation: Invitation): Promise<void>;
}

/** The service sends no mail, so the product that embeds Taproot must notify the invited person. */
export function logInvitations(log: Pick<Logger, 'info'>): InvitationDelivery {
  return {
    async deliver({ id, tenantId, email }) {
      log.info({ invitationId: id, tenantId, email }, 'invitation created');
    },
  };
}
