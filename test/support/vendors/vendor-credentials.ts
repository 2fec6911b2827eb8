import { keptSigningKey } from '../identity/jwks-server.js';
import { canaryValue } from '../secrets/canary-values.js';
import { aFakeCredential, type FakeCredential, pemOf } from './fake-credential.js';

/** The only user that the service account of domain-wide delegation may impersonate. */
export const DELEGATED_USER = 'grace@vendor.test';

/** Omits `oauth2-auth-code-pkce`: the OAuth provider of the test issues the credentials for this strategy. */
export function vendorCredentials() {
  return {
    'api-key-header': aFakeCredential({}, { apiKey: canaryValue() }),
    'api-key-query': aFakeCredential({}, { apiKey: canaryValue() }),
    bearer: aFakeCredential({}, { token: canaryValue() }),
    basic: aFakeCredential({ username: 'ada@vendor.test' }, { password: `${canaryValue()}:ü` }),
    'basic-fixed-password': aFakeCredential({}, { apiKey: canaryValue() }),
    'basic-encoded': anEncodedPair(),
    'oauth2-refresh': aFakeCredential(
      { clientId: 'loopback:refresh' },
      { ...aClientSecret(), refreshToken: canaryValue() },
    ),
    'oauth2-client-credentials': aFakeCredential({ clientId: 'loopback:post' }, aClientSecret()),
    'oauth2-client-credentials-basic': aFakeCredential({ clientId: 'loopback:basic' }, aClientSecret()),
    'oauth2-jwt-bearer': aFakeCredential({ clientId: 'loopback:jwt', subject: 'ada@vendor.test' }, aPrivateKey('app')),
    'google-domain-wide-delegation': aFakeCredential(
      { clientEmail: 'reader@project.test' },
      aPrivateKey('service account'),
      {
        delegatedUser: DELEGATED_USER,
      },
    ),
    'session-exchange': aFakeCredential({ tokenName: 'reader' }, { tokenSecret: canaryValue() }),
    'session-exchange-jwt': aFakeCredential(
      { clientId: 'loopback:session', keyId: 'key-1', subject: 'ada@vendor.test' },
      { clientSecret: canaryValue() },
    ),
    'session-exchange-password': aFakeCredential({ username: 'ada@vendor.test' }, { password: canaryValue() }),
    custom: aFakeCredential({}, { apiKey: canaryValue(), applicationKey: canaryValue() }),
  } satisfies Record<string, FakeCredential>;
}

export type VendorCredentials = ReturnType<typeof vendorCredentials>;

/** The secret requires the encoding of RFC 6749, section 2.3.1. */
function aClientSecret(): { clientSecret: string } {
  return { clientSecret: `${canaryValue()}:+%/&=` };
}

function aPrivateKey(owner: string): { privateKey: string } {
  return { privateKey: pemOf(keptSigningKey(owner)) };
}

function anEncodedPair(): FakeCredential {
  const password = canaryValue();
  const { secrets, ...credential } = aFakeCredential(
    {},
    { encodedToken: Buffer.from(`grace@vendor.test:${password}`).toString('base64') },
  );
  return { ...credential, secrets: [...secrets, password] };
}
