import type { Logger } from 'pino';
import type { Invitation } from './invitation.js';

/** How the invited person hears of it. A driver keeps its failures to itself: the invitation stands, and can be seen. */
export interface InvitationDelivery {
  deliver(invitation: Invitation): Promise<void>;
}

/** The service itself sends no mail: it notes the invitation, and the product that uses it tells the person. */
export function logInvitations(log: Pick<Logger, 'info'>): InvitationDelivery {
  return {
    async deliver({ id, tenantId, email }) {
      log.info({ invitationId: id, tenantId, email }, 'somebody is invited');
    },
  };
}
