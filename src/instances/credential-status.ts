import { wireEnum } from '../kernel/entities/wire-enum.js';

export const CredentialStatus = wireEnum('CredentialStatus', 'Status of a credential.', {
  pending: 'No test has determined yet whether the source accepts the credential.',
  validating: 'A test of the pending credential is in progress.',
  valid: 'The source accepts the credential.',
  invalid: 'The source rejects the credential, the credential lacks permissions, or the configuration is wrong.',
  expired: 'The credential has expired or was revoked at the source.',
  revoked: 'The connection and the secrets of the credential were deleted.',
  manual_validation_required:
    'Action required: sign in with the vendor, enter the credentials again, or trigger the first delivery.',
  superseded: 'A later submission replaced the credential.',
});
export type CredentialStatus = keyof typeof CredentialStatus;

/** The secrets of a retired credential are deleted, and its status is final. */
export function isRetired({ status }: { readonly status: CredentialStatus }): boolean {
  return status === 'superseded' || status === 'revoked';
}
