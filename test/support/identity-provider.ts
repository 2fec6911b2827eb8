import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AdapterFactory, type AdapterPayload, type Configuration, type JWK, Provider } from 'oidc-provider';
import { aSigningKey, now } from './jwks-server.js';

const RESOURCE = 'https://taproot.test';
const CALLBACK = 'https://client.test/callback';
const CLIENT = { client_id: 'client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' } as const;
const HOUR = 3_600;

/** An OpenID provider on loopback that believes whoever signs in. */
export async function anIdentityProvider() {
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let answer = answerOf(issuer);
  return {
    issuer,
    settings: { AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'taproot', EGRESS_ALLOW: '127.0.0.0/8' },
    /** An access token, by way of the authorization code flow. */
    signIn: (email: string) => authorizationCodeFlow(issuer, email),
    /** From now on all is signed with a new key, and the old one is no longer published. */
    rotateKeys: () => (answer = answerOf(issuer)),
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerOf(issuer: string) {
  const provider = new Provider(issuer, configuration());
  const serve = provider.callback();
  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    request.url?.startsWith('/sign-in/') ? signIn(provider, request, response) : serve(request, response);
}

function configuration(): Configuration {
  const { privateKey, kid } = aSigningKey();
  return {
    jwks: { keys: [{ ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256', use: 'sig' }] },
    adapter: aStore(),
    clients: [CLIENT],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
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

/** In memory, like the library's own, which says at each start that it is not for production. */
function aStore(): AdapterFactory {
  const rows = new Map<string, AdapterPayload>();
  return (model) => ({
    upsert: async (id, payload) => {
      rows.set(`${model} ${id}`, payload);
      if (payload.uid) rows.set(`${model} of uid ${payload.uid}`, payload);
    },
    find: async (id) => rows.get(`${model} ${id}`),
    findByUid: async (uid) => rows.get(`${model} of uid ${uid}`),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      Object.assign(rows.get(`${model} ${id}`) ?? {}, { consumed: now() });
    },
    destroy: async (id) => {
      rows.delete(`${model} ${id}`);
    },
    revokeByGrantId: async () => undefined,
  });
}

/** The page where a person would type; consent is given as well. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const accountId = params.login_hint as string;
  const grant = new provider.Grant({ accountId, clientId: CLIENT.client_id });
  grant.addOIDCScope('openid');
  grant.addResourceScope(RESOURCE, 'api');
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId }, consent });
}

async function authorizationCodeFlow(issuer: string, email: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const question = new URLSearchParams({
    ...{ client_id: CLIENT.client_id, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid api' },
    ...{ resource: RESOURCE, login_hint: email, code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const code = await browse(`${issuer}/auth?${question}`);
  const reply = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: CLIENT.client_id, redirect_uri: CALLBACK },
      ...{ code, code_verifier: verifier, resource: RESOURCE },
    }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return token;
}

/** Follows redirects with cookies, up to the client's address and the code in it. */
async function browse(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let address = start; ; ) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (!location) throw new Error(`${reply.status} at ${address}: ${await reply.text()}`);
    const next = new URL(location, address);
    if (next.href.startsWith(CALLBACK)) return next.searchParams.get('code') as string;
    address = next.href;
  }
}
