import type { CredentialStatus } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

export const CREDENTIAL_STATUSES: Readonly<Record<CredentialStatus, StatusView>> = {
  valid: { label: 'The vendor accepts the credentials', tone: 'good' },
  invalid: { label: 'The configuration or the credentials do not work', tone: 'bad' },
  expired: { label: 'The credentials have expired or were revoked', tone: 'bad' },
  revoked: { label: 'The connection and its secrets were deleted', tone: 'bad' },
  superseded: { label: 'Newer credentials replaced these credentials', tone: 'neutral' },
  manual_validation_required: { label: 'A sign-in, new secrets or a first delivery is required', tone: 'warn' },
  pending: { label: 'Waiting for the test', tone: 'info' },
  validating: { label: 'Calling the vendor…', tone: 'info' },
};
