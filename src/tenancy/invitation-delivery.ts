import type { Logger } from 'pino';
import type { Invitation } from './invitation.js';

/**
 * Notifies the invited person. A driver must not throw: the invitation remains valid and listed if its delivery fails.
 */
export interface InvitationDelivery {
  deliver(invitation: Invitation): Promise<void>;
}

/** Logs invitations. The service sends no mail; the product built on it notifies the person. */
export function logInvitations(log: Pick<Logger, 'info'>): InvitationDelivery {
  return {
    async deliver({ id, tenantId, email }) {
      log.info({ invitationId: id, tenantId, email }, 'invitation created');
    },
  };
}
