import { wireEnum } from '../kernel/entities/wire-enum.js';

export const CredentialStatus = wireEnum('CredentialStatus', 'Status of a credential.', {
  pending: 'The credential has not been tested yet.',
  validating: 'The first test is in progress.',
  valid: 'The source accepts the credential.',
  invalid: 'The source rejects the credential, or the configuration is wrong.',
  expired: 'The source accepted the credential earlier and now rejects it.',
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
