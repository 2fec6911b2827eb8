import { canary } from './canary.js';
import { aSigningKey } from './jwks-server.js';
import { aCredential, type PlayedCredential, pemOf } from './played-credential.js';

/** Whom the service account of domain-wide delegation may act for; nobody else. */
export const DELEGATED_USER = 'grace@vendor.test';

/**
 * What the vendor server takes, by key of the strategy: good ones, new on every call. Those of
 * `oauth2-auth-code-pkce` are the provider's.
 */
export function vendorCredentials() {
  return {
    'api-key-header': aCredential({}, { apiKey: canary() }),
    'api-key-query': aCredential({}, { apiKey: canary() }),
    bearer: aCredential({}, { token: canary() }),
    basic: aCredential({ username: 'ada@vendor.test' }, { password: `${canary()}:ü` }),
    'basic-fixed-password': aCredential({}, { apiKey: canary() }),
    'basic-encoded': anEncodedPair(),
    'oauth2-refresh': aCredential({ clientId: 'loopback:refresh' }, { ...aClientSecret(), refreshToken: canary() }),
    'oauth2-client-credentials': aCredential({ clientId: 'loopback:post' }, aClientSecret()),
    'oauth2-client-credentials-basic': aCredential({ clientId: 'loopback:basic' }, aClientSecret()),
    'oauth2-jwt-bearer': aCredential({ clientId: 'loopback:jwt', subject: 'ada@vendor.test' }, aPrivateKey()),
    'google-domain-wide-delegation': aCredential({ clientEmail: 'reader@project.test' }, aPrivateKey(), {
      delegatedUser: DELEGATED_USER,
    }),
    'session-exchange': aCredential({ tokenName: 'reader' }, { tokenSecret: canary() }),
    'session-exchange-jwt': aCredential(
      { clientId: 'loopback:session', keyId: 'key-1', subject: 'ada@vendor.test' },
      { clientSecret: canary() },
    ),
    'session-exchange-password': aCredential({ username: 'ada@vendor.test' }, { password: canary() }),
    custom: aCredential({}, { apiKey: canary(), applicationKey: canary() }),
  } satisfies Record<string, PlayedCredential>;
}

export type VendorCredentials = ReturnType<typeof vendorCredentials>;

/** Arrives only if it is encoded as RFC 6749 (section 2.3.1) asks. */
function aClientSecret(): { clientSecret: string } {
  return { clientSecret: `${canary()}:+%/&=` };
}

function aPrivateKey(): { privateKey: string } {
  return { privateKey: pemOf(aSigningKey()) };
}

function anEncodedPair(): PlayedCredential {
  const password = canary();
  const { secrets, ...credential } = aCredential(
    {},
    { encodedToken: Buffer.from(`grace@vendor.test:${password}`).toString('base64') },
  );
  return { ...credential, secrets: [...secrets, password] };
}
