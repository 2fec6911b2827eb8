import { jwtVerify } from 'jose';
import type { FakeVendor } from './fake-vendor.js';
import { jsonBodyOf, type VendorRequest, type VendorResponse } from './vendor-request.js';

export const SESSION_AUDIENCE = 'loopback-sessions';
const REFUSED: VendorResponse = { status: 401, body: { ok: false, error: 'unauthorized' } };

/**
 * Sign-in endpoints of the vendor, by path. Each endpoint accepts its credential as JSON and issues a session token.
 */
export const SESSION_ENDPOINTS: Readonly<
  Record<string, (call: VendorRequest, vendor: FakeVendor) => Promise<VendorResponse>>
> = {
  '/sessions': async (call, vendor) => {
    const { credentials: { name, secret } = {} } = jsonBodyOf(call);
    const { tokenName, tokenSecret } = vendor.credentials['session-exchange'].authenticationConfig;
    if (name !== tokenName || secret !== tokenSecret) return REFUSED;
    const token = open(vendor, 'session-exchange');
    return { status: 200, body: { session: { token }, expires_in: vendor.tokens.seconds } };
  },

  '/sessions/jwt': async (call, vendor) => {
    if (!(await isGoodJwt(jsonBodyOf(call).jwt, vendor))) return REFUSED;
    const token = open(vendor, 'session-exchange-jwt');
    return { status: 200, body: { session: { token }, expires_in: vendor.tokens.seconds } };
  },

  // Like many vendors, omits the lifetime of the token.
  '/sessions/password': async (call, vendor) => {
    const { login, passphrase } = jsonBodyOf(call);
    const { username, password } = vendor.credentials['session-exchange-password'].authenticationConfig;
    if (login !== username || passphrase !== password) return REFUSED;
    return { status: 200, body: { id: open(vendor, 'session-exchange-password') } };
  },
};

function open({ tokens, grantedScopes }: FakeVendor, connector: string): string {
  return tokens.issue(connector, { name: 'ada@vendor.test', scopes: grantedScopes });
}

/** Requires a JWT that is signed with the shared secret and at most ten minutes old. */
async function isGoodJwt(jwt: unknown, { credentials }: FakeVendor): Promise<boolean> {
  const { clientId, keyId, clientSecret, subject } = credentials['session-exchange-jwt'].authenticationConfig;
  return jwtVerify(String(jwt), Buffer.from(clientSecret ?? ''), {
    ...{ issuer: clientId, subject, audience: SESSION_AUDIENCE, algorithms: ['HS256'] },
    ...{ requiredClaims: ['iat', 'exp', 'jti'], maxTokenAge: '10m' },
  }).then(
    ({ protectedHeader }) => protectedHeader.kid === keyId,
    () => false,
  );
}
