import { createHash, randomBytes } from 'node:crypto';
import { type Configuration, Provider } from 'oidc-provider';
import { listenOnLoopback } from '../servers/loopback.js';
import { browse } from './browser.js';
import { aSigningKey } from './jwks-server.js';
import { OidcAdapter } from './oidc-adapter.js';
import { handleInteractions, oidcConfiguration } from './oidc-login.js';

const RESOURCE = 'https://taproot.test';
const CALLBACK = 'https://client.test/callback';
const CLIENT = { client_id: 'client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' } as const;
const HOUR = 3_600;

/** An OpenID provider on loopback that signs in every user without a password. */
export async function anIdentityProvider() {
  const { origin: issuer, close } = await listenOnLoopback((request, response) => handle(request, response));
  let handle = aProvider(issuer);
  return {
    issuer,
    settings: { AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'taproot', EGRESS_ALLOW: '127.0.0.0/8' },
    /** Returns an access token from the authorization code flow. */
    signIn: (email: string) => authorizationCodeFlow(issuer, email),
    /** Replaces the signing key and removes the old key from the JWKS. */
    rotateKeys: () => (handle = aProvider(issuer)),
    close,
  };
}

function aProvider(issuer: string) {
  return handleInteractions(new Provider(issuer, configuration()), {
    consent: (grant) => {
      grant.addOIDCScope('openid');
      grant.addResourceScope(RESOURCE, 'api');
    },
  });
}

function configuration(): Configuration {
  return {
    ...oidcConfiguration(new OidcAdapter(), aSigningKey()),
    clients: [CLIENT],
    extraTokenClaims: (_, token) => ('accountId' in token ? { email: token.accountId, email_verified: true } : {}),
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'api', audience: 'taproot', accessTokenFormat: 'jwt' }),
      },
    },
    ttl: { AccessToken: HOUR, AuthorizationCode: HOUR, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
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
