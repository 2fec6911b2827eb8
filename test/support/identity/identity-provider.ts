import { createHash, randomBytes } from 'node:crypto';
import { type Configuration, Provider } from 'oidc-provider';
import { listenOnLoopback } from '../servers/loopback.js';
import { browse } from './browser.js';
import { aSigningKey } from './jwks-server.js';
import { OidcAdapter } from './oidc-adapter.js';
import { handleInteractions, oidcConfiguration } from './oidc-login.js';

export const RESOURCE = 'https://taproot.test';
const CALLBACK = 'https://client.test/callback';
const CLIENT = { client_id: 'client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' } as const;
const HOUR = 3_600;

interface IdentityProviderOptions {
  readonly audience?: string;
  /** Account that signs in if a request has no `login_hint`. */
  readonly account?: string;
}

/** Starts an OpenID provider on loopback. Users sign in without a password. */
export async function anIdentityProvider({ audience = 'taproot', account = '' }: IdentityProviderOptions = {}) {
  const { origin: issuer, close } = await listenOnLoopback((request, response) => handle(request, response));
  const store = new OidcAdapter();
  const aProvider = () => createProvider(issuer, store, { audience, account });
  let handle = aProvider();
  return {
    issuer,
    settings: { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, EGRESS_ALLOW: '127.0.0.0/8' },
    /** Registers the console at this origin as a public client, which receives refresh tokens. */
    registerConsole: (clientId: string, origin: string) =>
      store.adapter('Client').upsert(
        clientId,
        {
          ...{ client_id: clientId, token_endpoint_auth_method: 'none', response_types: ['code'] },
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`${origin}/sign-in/callback`],
          post_logout_redirect_uris: [`${origin}/sign-in`],
        },
        0,
      ),
    /** Counts only sessions of signed-in users. */
    countSessions: () => store.rows('Session').filter(({ accountId }) => accountId).length,
    revokeRefreshTokens: () => store.removeAll('RefreshToken'),
    /** Returns an access token from the authorization code flow. */
    signIn: (email: string) => authorizationCodeFlow(issuer, email),
    /** Replaces the signing key and removes the old key from the JWKS. */
    rotateKeys: () => (handle = aProvider()),
    close,
  };
}

function createProvider(issuer: string, store: OidcAdapter, { audience, account }: Required<IdentityProviderOptions>) {
  return handleInteractions(new Provider(issuer, configuration(store, audience)), {
    account,
    consent: (grant, { scope }) => {
      grant.addOIDCScope(scope as string);
      grant.addResourceScope(RESOURCE, 'api email profile');
    },
  });
}

function configuration(store: OidcAdapter, audience: string): Configuration {
  return {
    ...oidcConfiguration(store, aSigningKey()),
    clients: [CLIENT],
    scopes: ['openid', 'email', 'profile'],
    clientBasedCORS: () => true,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    extraTokenClaims: (_, token) => ('accountId' in token ? { email: token.accountId, email_verified: true } : {}),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign out</button>`;
        },
      },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'api email profile', audience, accessTokenFormat: 'jwt' }),
      },
    },
    ttl: {
      ...{ AccessToken: HOUR, AuthorizationCode: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
      RefreshToken: HOUR,
    },
  };
}

async function authorizationCodeFlow(issuer: string, email: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    ...{ client_id: CLIENT.client_id, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid api' },
    ...{ resource: RESOURCE, login_hint: email, code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const callback = await browse(`${issuer}/auth?${query}`, { until: ({ href }) => href.startsWith(CALLBACK) });
  const reply = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: CLIENT.client_id, redirect_uri: CALLBACK },
      ...{ code: callback.searchParams.get('code') as string, code_verifier: verifier, resource: RESOURCE },
    }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return token;
}
