import { createHash, type KeyObject } from 'node:crypto';
import { type JWTVerifyOptions, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import type { AuthMethodType, OAuth2Config } from '../../../src/catalog/model/auth-method-configs.js';
import { callSource } from '../../../src/sources/calls/call-source.js';
import { TokenExchangeError } from '../../../src/sources/responses/token-exchange-error.js';
import { aKeyPair } from '../../support/identity/key-pairs.js';
import { type ReceivedRequest, SourceServer, type StubResponse } from '../../support/servers/source-server.js';
import { InMemorySessions } from '../../support/sources/in-memory-sessions.js';
import { aConnection } from '../../support/sources/source-connection.js';

const rsa = aKeyPair('rsa');
const seen = new Set<unknown>();

let source: SourceServer;
/** Returns whether the token request is correct. */
let knows: (request: ReceivedRequest) => unknown;

beforeAll(async () => {
  source = await new SourceServer(answer).open();
});
afterAll(() => source.close());
beforeEach(() => seen.clear());

async function answer(request: ReceivedRequest): Promise<StubResponse> {
  if (request.path === '/token') {
    const known = await Promise.resolve(request)
      .then((it) => knows(it))
      .catch(() => false);
    return known
      ? { access_token: 'issued', session: { token: 'issued' } }
      : { status: 400, body: { error: 'invalid_grant' } };
  }
  return [request.headers.authorization, request.headers['x-session']].includes('Bearer issued') ||
    request.headers['x-session'] === 'issued'
    ? 200
    : 401;
}

type Case = [
  type: AuthMethodType,
  about: string,
  strategy: Partial<StrategyDefinition> & { oauth2Config?: Partial<OAuth2Config> },
  config: Record<string, string>,
  wrong: Record<string, string>,
  check: (request: ReceivedRequest) => unknown,
];

/** Throws an error if the assertion is not new, or is valid for more than two minutes. */
async function claimsOf(token: unknown, key: KeyObject | Uint8Array, options: JWTVerifyOptions) {
  const requiredClaims = ['iss', 'aud', 'exp', 'iat', 'jti'];
  const { payload, protectedHeader } = await jwtVerify(`${token}`, key, { ...options, requiredClaims });
  if (seen.has(payload.jti) || Number(payload.exp) - Number(payload.iat) > 120) throw new Error('used or too long');
  seen.add(payload.jti);
  return { payload, protectedHeader };
}

const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const session = { bearerConfig: { headerName: 'X-Session', tokenPrefix: '' } };
const sessionReply = { tokenResponsePath: 'session.token', tokenPrefix: '' };

const CASES: Case[] = [
  [
    'oauth2_refresh',
    'the refresh token of the customer',
    {},
    { clientId: 'c', clientSecret: 's', refreshToken: 'r-1' },
    { refreshToken: 'r-2' },
    ({ form }) => form.grant_type === 'refresh_token' && form.refresh_token === 'r-1' && form.client_secret === 's',
  ],
  [
    'oauth2_client_credentials',
    'id and secret',
    {},
    { clientId: 'c', clientSecret: 's' },
    { clientSecret: 'x' },
    ({ form }) => form.grant_type === 'client_credentials' && form.client_secret === 's',
  ],
  [
    'oauth2_client_credentials',
    "NetSuite's client assertion",
    { hook: 'netsuite_client_assertion', defaultScopes: ['rest_webservices'] },
    { clientId: 'c', keyId: 'cert-1', privateKey: rsa.pem },
    { privateKey: aKeyPair('rsa').pem },
    async ({ form }) => {
      const options = { algorithms: ['PS256'], issuer: 'c', audience: `${source.url}/token` };
      const { payload, protectedHeader } = await claimsOf(form.client_assertion, rsa.publicKey, options);
      return `${payload.scope}` === 'rest_webservices' && protectedHeader.kid === 'cert-1' && !form.scope;
    },
  ],
  [
    'oauth2_jwt_bearer',
    'an assertion of the client for a user',
    { oauth2Config: { audienceParam: 'https://login.acme.test' } },
    { clientId: 'c', subject: 'ada', privateKey: rsa.pem },
    { privateKey: aKeyPair('rsa').pem },
    async ({ form }) => {
      const options = { algorithms: ['RS256'], issuer: 'c', subject: 'ada', audience: 'https://login.acme.test' };
      await claimsOf(form.assertion, rsa.publicKey, options);
      return form.grant_type === JWT_GRANT && !form.client_id && !form.audience;
    },
  ],
  [
    'oauth2_jwt_bearer',
    'an assertion of a service account for itself, and a client secret',
    { oauth2Config: { tokenEndpointAuthMethod: 'client_secret_post' } },
    { clientId: 'c', clientSecret: 's', privateKey: rsa.pem },
    { clientSecret: 'x' },
    async ({ form }) => {
      await claimsOf(form.assertion, rsa.publicKey, { issuer: 'c', subject: 'c', audience: `${source.url}/token` });
      return form.client_secret === 's';
    },
  ],
  [
    'google_domain_wide_delegation',
    'an assertion with scopes for the delegated user',
    { delegatedUserField: 'delegatedUser', defaultScopes: ['a', 'b'] },
    { clientEmail: 'robot@acme.test', privateKey: rsa.pem.replaceAll('\n', '\\n') },
    { privateKey: aKeyPair('rsa').pem },
    async ({ form }) => {
      const options = { issuer: 'robot@acme.test', subject: 'ada@acme.test', audience: `${source.url}/token` };
      const { payload } = await claimsOf(form.assertion, rsa.publicKey, options);
      return payload.scope === 'a b' && form.grant_type === JWT_GRANT && !form.scope;
    },
  ],
  [
    'session_exchange',
    'fields deep in the body',
    {
      ...session,
      oauth2Config: {
        ...sessionReply,
        tokenEndpointExtraParams: { credentials: { name: '{name}', secrets: ['{secret}'], site: '{site}', n: 1 } },
      },
    },
    { name: 'n', secret: 's"{name}', site: '' },
    { secret: 'x' },
    ({ body }) => body === JSON.stringify({ credentials: { name: 'n', secrets: ['s"{name}'], site: '', n: 1 } }),
  ],
  [
    'session_exchange_password',
    "user name and password with the source's parameter names",
    { ...session, oauth2Config: { ...sessionReply, usernameField: 'login', passwordField: 'pass' } },
    { username: 'ada', password: 'p' },
    { password: 'x' },
    ({ body, headers }) => body === '{"login":"ada","pass":"p"}' && headers['content-type'] === 'application/json',
  ],
  [
    'session_exchange_jwt',
    'a JWT signed with the secret',
    {
      ...session,
      defaultScopes: ['read'],
      oauth2Config: {
        ...sessionReply,
        audienceParam: 'tableau',
        tokenEndpointAuthMethod: 'client_secret_jwt',
        tokenEndpointExtraParams: { credentials: { jwt: '{jwt}' } },
      },
    },
    { clientId: 'c', keyId: 'k', clientSecret: 'a secret of thirty-two letters ..', subject: 'ada' },
    { clientSecret: 'another secret of thirty letters ' },
    async ({ body }) => {
      const options = { algorithms: ['HS256'], issuer: 'c', subject: 'ada', audience: 'tableau' };
      const secret = Buffer.from('a secret of thirty-two letters ..');
      const { payload, protectedHeader } = await claimsOf(JSON.parse(body).credentials.jwt, secret, options);
      return `${payload.scp}` === 'read' && protectedHeader.kid === 'k' && protectedHeader.iss === 'c';
    },
  ],
  [
    'session_exchange_jwt',
    'a JWT signed with a private key',
    {
      ...session,
      oauth2Config: {
        ...sessionReply,
        tokenEndpointAuthMethod: 'private_key_jwt',
        tokenEndpointExtraParams: { jwt: '{jwt}' },
      },
    },
    { clientId: 'c', privateKey: rsa.pem },
    { privateKey: aKeyPair('rsa').pem },
    ({ body }) => claimsOf(JSON.parse(body).jwt, rsa.publicKey, { algorithms: ['RS256'], issuer: 'c' }),
  ],
];

describe.each(CASES)('%s by %s', (type, _, strategy, config, wrong, check) => {
  function call(changes: Record<string, string> = {}) {
    const connection = aConnection({
      connector: { defaultBaseUrl: source.url },
      strategy: { type, ...strategy, oauth2Config: { tokenEndpoint: `${source.url}/token`, ...strategy.oauth2Config } },
      config: { ...config, ...changes },
      ingestionConfig: { delegatedUser: 'ada@acme.test' },
    });
    knows = check;
    return callSource({ connection, sessions: new InMemorySessions(), send: source.send }, { path: '/me' });
  }

  it('obtains a token and sends it', async () => {
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(200);
  });

  it('is rejected with a wrong credential, and sends no further request', async () => {
    const before = source.at('/me').length;
    await expect(call(wrong)).rejects.toThrow(TokenExchangeError);
    expect(source.at('/me')).toHaveLength(before);
  });

  it('names the missing field', async () => {
    const [field = ''] = Object.keys(wrong);
    await expect(call({ [field]: '' })).rejects.toMatchObject({ name: 'ConnectionConfigError', field });
  });
});

describe('snowflake_key_pair_jwt', () => {
  function headersFor(account: string, privateKey = rsa.pem) {
    const connection = aConnection({
      connector: { defaultBaseUrl: source.url },
      strategy: { type: 'custom', hook: 'snowflake_key_pair_jwt' },
      config: { user: 'ada', privateKey },
      ingestionConfig: { account },
    });
    return callSource({ connection, sessions: new InMemorySessions(), send: source.send }, { path: '/api' }).then(
      () => source.last.headers,
    );
  }

  it.each([
    ['myorg-account123', 'MYORG-ACCOUNT123'],
    ['xy12345.us-east-1.aws', 'XY12345'],
    ['xy12345-a1.global', 'XY12345'],
  ])('signs for %s a JWT of %s that contains the key fingerprint', async (account, name) => {
    const token = `${(await headersFor(account)).authorization}`.slice('Bearer '.length);
    const der = rsa.publicKey.export({ type: 'spki', format: 'der' });
    const issuer = `${name}.ADA.SHA256:${createHash('sha256').update(der).digest('base64')}`;
    await jwtVerify(token, rsa.publicKey, { issuer, subject: `${name}.ADA`, algorithms: ['RS256'] });
    const other = `${(await headersFor(account, aKeyPair('rsa').pem)).authorization}`.slice('Bearer '.length);
    await expect(jwtVerify(other, rsa.publicKey)).rejects.toThrow();
  });
});
