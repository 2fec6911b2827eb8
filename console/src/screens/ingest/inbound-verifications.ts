import type { InboundVerificationType } from '../../gql/graphql.js';

export const INBOUND_VERIFICATIONS: Readonly<Record<InboundVerificationType, string>> = {
  none: 'Nothing. The secret address is the only protection.',
  shared_token: 'A shared token',
  basic: 'A user name and password',
  hmac_sha1: 'An HMAC-SHA1 signature',
  hmac_sha256: 'An HMAC-SHA256 signature',
  hmac_sha512: 'An HMAC-SHA512 signature',
  ed25519: 'An Ed25519 signature',
  ecdsa_p256_sha256: 'An ECDSA signature (P-256)',
  standard_webhooks: 'A Standard Webhooks signature',
};
