import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const SyncErrorClass = wireEnum('SyncErrorClass', 'Cause of a failure. The cause determines who must act.', {
  vendor_unavailable: 'The vendor does not respond, or responds with a temporary error.',
  rate_limited: "The vendor's rate limit is used up.",
  credential: 'The vendor rejects the credential. The customer must renew it.',
  permission: 'The credential lacks a permission for the tap. The customer must grant it, or disable the tap.',
  configuration:
    'A value of the configuration is wrong or missing, or the storage quota is used up. The customer must correct the configuration or free storage.',
  contract:
    'The response differs from the definition of the tap, or the quality gate of the table rejected rows. The operator must correct the definition of the tap or the contract of the table. If `heldUntil` of the run is in the future, a user must instead accept or discard the held rows.',
  internal: 'The service failed. The operator must act.',
});
export type SyncErrorClass = keyof typeof SyncErrorClass;
