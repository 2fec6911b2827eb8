import { wireEnum } from '../kernel/entities/wire-enum.js';

export const CredentialStatus = wireEnum('CredentialStatus', 'What is known of a credential.', {
  pending: 'Not tested yet.',
  validating: 'Being tested for the first time.',
  valid: 'The source accepts it.',
  invalid: 'The source refuses it, or the configuration is wrong.',
  expired: 'It was good once and is no longer.',
  revoked: 'Its connection was deleted, and its secrets with it.',
  manual_validation_required:
    'Somebody has to sign in with the vendor or enter the credentials again, or a first delivery has to come.',
  superseded: 'A later submission has taken its place.',
});
export type CredentialStatus = keyof typeof CredentialStatus;

/** Its secrets are gone, and nothing about it changes any more. */
export function isRetired({ status }: { readonly status: CredentialStatus }): boolean {
  return status === 'superseded' || status === 'revoked';
}
