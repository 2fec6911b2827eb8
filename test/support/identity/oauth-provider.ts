import { type AllClientMetadata, type Configuration, Provider } from 'oidc-provider';
import { canaryValue } from '../secrets/canary-values.js';
import { listenOnLoopback } from '../servers/loopback.js';
import { aFakeCredential, type FakeCredential, pemOf } from '../vendors/fake-credential.js';
import type { TokenLookup, VendorAccount } from '../vendors/token-registry.js';
import { browse } from './browser.js';
import { keptSigningKey, nowSeconds } from './jwks-server.js';
import { OidcAdapter } from './oidc-adapter.js';
import { DENY_HEADER, handleInteractions, oidcConfiguration } from './oidc-login.js';

export const CLIENT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

export interface TokenExchange {
  readonly grantType: unknown;
  readonly clientId?: string;
  /** Error code (RFC 6749, section 5.2). Undefined if the endpoint issued a token. */
  readonly error?: string;
}

export interface OAuthProvider extends TokenLookup {
  readonly issuer: string;
  /** One client per authentication method. The clients have no other differences. */
  readonly credentials: Readonly<Record<ClientAuthMethod, FakeCredential>>;
  readonly exchanges: readonly TokenExchange[];
  /** Codes, access tokens and refresh tokens of all live grants. Dumps and logs must not contain them. */
  tokenTexts(): string[];
  /** Applies to future tokens. */
  setAccessTokenSeconds(seconds: number): void;
  /** The provider rejects redirect URIs that were not allowed with this function. */
  allowRedirect(redirectUri: string): Promise<void>;
  /** Signs in and consents. Returns the redirect URI with `code`, `state` and `iss`. */
  authorize(url: string | URL): Promise<URL>;
  /** Denies the consent. Returns the redirect URI with `error`, `state` and `iss`. */
  deny(url: string | URL): Promise<URL>;
  expireAccessTokens(): void;
  /** Invalidates all tokens, as if the customer had removed the app. */
  revokeGrants(): void;
  close(): Promise<void>;
}

export const PROVIDER_SCOPES = ['openid', 'offline_access', 'records:read', 'profile:read'];
const HOUR = 3_600;
const ACCOUNT = 'ada@vendor.test';

/**
 * Starts a vendor's authorization server. It requires PKCE and rotates refresh tokens. The second use of a refresh
 * token revokes its grant.
 */
export async function anOAuthProvider({
  redirectUris = ['https://client.test/callback'],
  listen = listenOnLoopback,
} = {}): Promise<OAuthProvider> {
  const { origin: issuer, close } = await listen((request, response) => handle(request, response));
  const store = new OidcAdapter();
  const clients = store.adapter('Client');
  const allowed = [...redirectUris];
  const exchanges: TokenExchange[] = [];
  let accessTokenSeconds = HOUR;

  const provider = new Provider(
    issuer,
    configuration(store, () => accessTokenSeconds),
  );
  const handle = handleInteractions(provider, {
    account: ACCOUNT,
    consent: (grant, { scope }) => grant.addOIDCScope(scope as string),
  });
  provider.on('grant.success', ({ oidc }) =>
    exchanges.push({ grantType: oidc.params?.grant_type, clientId: oidc.client?.clientId }),
  );
  provider.on('grant.error', ({ oidc }, { error }) =>
    exchanges.push({ grantType: oidc.params?.grant_type, clientId: oidc.client?.clientId, error }),
  );

  const registered = CLIENT_AUTH_METHODS.map((method) => [method, aClient(method)] as const);
  const register = async (): Promise<void> => {
    for (const [, { metadata }] of registered) {
      await clients.upsert(metadata.client_id, { ...metadata, redirect_uris: allowed }, 0);
    }
  };
  await register();

  const visit = (url: string | URL, headers?: Record<string, string>): Promise<URL> => {
    const redirectUri = new URL(url).searchParams.get('redirect_uri') as string;
    return browse(url, { until: ({ href }) => href.startsWith(redirectUri), headers });
  };
  return {
    issuer,
    credentials: Object.fromEntries(
      registered.map(([method, { credential }]) => [method, credential]),
    ) as OAuthProvider['credentials'],
    exchanges,
    tokenTexts: () =>
      ['AuthorizationCode', 'AccessToken', 'RefreshToken'].flatMap((model) =>
        store.rows(model).map(({ jti }) => jti as string),
      ),
    setAccessTokenSeconds: (seconds) => {
      accessTokenSeconds = seconds;
    },
    allowRedirect: (redirectUri) => {
      allowed.push(redirectUri);
      return register();
    },
    authorize: (url) => visit(url),
    deny: (url) => visit(url, { [DENY_HEADER]: 'yes' }),
    find: async (token) => findAccount(provider, store, token),
    expireAccessTokens: () => {
      for (const row of store.rows('AccessToken')) row.exp = nowSeconds() - 1;
    },
    revokeGrants: () => {
      for (const model of ['Grant', 'AccessToken', 'RefreshToken']) store.removeAll(model);
    },
    close,
  };
}

function configuration(store: OidcAdapter, accessTokenSeconds: () => number): Configuration {
  return {
    ...oidcConfiguration(store, keptSigningKey('OAuth provider')),
    scopes: PROVIDER_SCOPES,
    pkce: { required: () => true },
    clockTolerance: 0, // By default, the provider would accept tokens for 15 seconds after their expiry.
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    features: { devInteractions: { enabled: false } },
    ttl: {
      ...{ AuthorizationCode: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR, RefreshToken: HOUR },
      AccessToken: accessTokenSeconds,
    },
  };
}

/** The id and secret contain characters that require the encoding of RFC 6749, section 2.3.1. */
function aClient(method: ClientAuthMethod) {
  const id = `loopback:${method}`;
  const metadata: AllClientMetadata & { client_id: string } = {
    client_id: id,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  if (method === 'private_key_jwt') {
    const key = keptSigningKey('OAuth client');
    const credential = aFakeCredential({ clientId: id, keyId: key.kid }, { privateKey: pemOf(key) });
    return { metadata: { ...metadata, jwks: { keys: [key.jwk] } } as typeof metadata, credential };
  }
  if (method === 'none') return { metadata, credential: aFakeCredential({ clientId: id }, {}) };
  const clientSecret = `${canaryValue()}:+%/&=`;
  return {
    metadata: { ...metadata, client_secret: clientSecret },
    credential: aFakeCredential({ clientId: id }, { clientSecret }),
  };
}

async function findAccount(
  provider: Provider,
  store: OidcAdapter,
  token: string,
): Promise<VendorAccount | 'expired' | undefined> {
  const found = await provider.AccessToken.find(token);
  if (found) return { name: found.accountId, scopes: [...found.scopes] };
  return store.rows('AccessToken').some(({ jti }) => jti === token) ? 'expired' : undefined;
}
