import type { FakeVendor } from './fake-vendor.js';
import type { VendorAccount } from './token-registry.js';
import type { VendorCredentials } from './vendor-credentials.js';
import { basicCredentialsOf, type VendorRequest } from './vendor-request.js';

type Verdict = VendorAccount | 'expired' | undefined;
type Check = (call: VendorRequest, vendor: FakeVendor) => Verdict | Promise<Verdict>;

/** The keys are connector keys. */
export const CREDENTIAL_CHECKS: Readonly<Record<string, Check>> = {
  'api-key-header': keyed((call, { apiKey }) => call.headers['x-api-key'] === apiKey),
  'api-key-query': keyed(({ query }, { apiKey }) => query.getAll('api_key').join() === apiKey),
  bearer: keyed((call, { token }) => call.headers.authorization === `Bearer ${token}`),
  basic: (call, vendor) => (isBasic(call, vendor.credentials) ? ada(vendor) : undefined),
  custom: keyed(
    ({ headers }, { apiKey, applicationKey }) =>
      headers['dd-api-key'] === apiKey && headers['dd-application-key'] === applicationKey,
  ),
  'oauth2-auth-code-pkce': (call, { provider }) => provider?.find(bearerOf(call) ?? ''),
  'oauth2-refresh': issued(bearerOf),
  'oauth2-client-credentials': issued(bearerOf),
  'oauth2-jwt-bearer': issued(bearerOf),
  'google-domain-wide-delegation': issued(bearerOf),
  'session-exchange': issued(({ headers }) => headers['x-session']),
  'session-exchange-jwt': issued(({ headers }) => headers['x-session']),
  'session-exchange-password': issued(({ headers }) => headers['x-session']),
};

/** For credentials that the service sends unchanged in each request, such as API keys. */
function keyed(isRight: (call: VendorRequest, config: Readonly<Record<string, string>>) => boolean): Check {
  return (call, vendor) => {
    const [, key = ''] = call.path.split('/');
    const { authenticationConfig } = vendor.credentials[key as keyof VendorCredentials];
    return isRight(call, authenticationConfig) ? ada(vendor) : undefined;
  };
}

/** Checks a token that the vendor has issued. */
function issued(tokenOf: (call: VendorRequest) => string | string[] | undefined): Check {
  return (call, { tokens }) => tokens.find(String(tokenOf(call)), call.path.split('/')[1] as string);
}

function isBasic(call: VendorRequest, credentials: VendorCredentials): boolean {
  const { username, password } = credentials.basic.authenticationConfig;
  const { apiKey } = credentials['basic-fixed-password'].authenticationConfig;
  const { encodedToken } = credentials['basic-encoded'].authenticationConfig;
  const [user, secret] = basicCredentialsOf(call) ?? [];
  if (user === username && secret === password) return true;
  if (user === apiKey && secret === FIXED_PASSWORD) return true;
  return call.headers.authorization === `Basic ${encodedToken}`;
}

export const FIXED_PASSWORD = 'api_token';

function bearerOf({ headers }: VendorRequest): string | undefined {
  return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
}

function ada({ grantedScopes }: FakeVendor): VendorAccount {
  return { name: 'ada@vendor.test', scopes: grantedScopes };
}
