import { inspect } from 'node:util';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OAuth2Config } from '../../../src/catalog/model/auth-method-configs.js';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import { authMethods } from '../../../src/sources/methods/auth-methods.js';
import { TokenExchangeError } from '../../../src/sources/responses/token-exchange-error.js';
import type { Session } from '../../../src/sources/session.js';
import { aKeyPair } from '../../support/identity/key-pairs.js';
import { type ReceivedRequest, SourceServer, type StubResponse } from '../../support/servers/source-server.js';
import { aConnection, type ConnectionFields } from '../../support/sources/source-connection.js';

const CLIENT = { clientId: 'id:1', clientSecret: 'canary s%+:' };
const keys = aKeyPair();

let source: SourceServer;
let elsewhere: SourceServer;
let answer: (request: ReceivedRequest) => StubResponse | Promise<StubResponse>;

beforeAll(async () => {
  source = await new SourceServer((request) => answer(request)).open();
  elsewhere = await new SourceServer(() => ({ access_token: 'stolen' })).open();
});
afterAll(() => Promise.all([source.close(), elsewhere.close()]));

function open(oauth2Config: Partial<OAuth2Config> = {}, fields: ConnectionFields = {}): Promise<Session> {
  const config = { ...CLIENT, privateKey: keys.pem, ...fields.config };
  const tokenEndpoint = `${source.url}/token`;
  const strategy = { type: 'oauth2_client_credentials' as const, oauth2Config: { tokenEndpoint, ...oauth2Config } };
  const connection = aConnection({ ...fields, config, strategy: { ...strategy, ...fields.strategy } });
  return authMethods.oauth2_client_credentials.open?.({ connection, send: source.send }) as Promise<Session>;
}

async function formOf(oauth2Config: Partial<OAuth2Config>, fields: ConnectionFields = {}) {
  answer = () => ({ access_token: 'a' });
  await open(oauth2Config, fields);
  return source.last.form;
}

async function sessionOf(reply: StubResponse, oauth2Config: Partial<OAuth2Config> = {}, strategy: object = {}) {
  answer = () => reply;
  return open(oauth2Config, { strategy });
}

async function refusalOf(reply: StubResponse, oauth2Config: Partial<OAuth2Config> = {}): Promise<TokenExchangeError> {
  const error = await sessionOf(reply, oauth2Config).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TokenExchangeError);
  return error;
}

describe('a client', () => {
  const claims = (request: ReceivedRequest, key: Parameters<typeof jwtVerify>[1], algorithms: string[]) => {
    const options = { algorithms, issuer: CLIENT.clientId, subject: CLIENT.clientId, audience: `${source.url}/token` };
    return jwtVerify(`${request.form.client_assertion}`, key, { ...options, requiredClaims: ['jti', 'iat', 'exp'] });
  };
  const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

  const CHECKS: Record<string, (request: ReceivedRequest) => unknown> = {
    client_secret_basic: ({ headers, form }) => {
      const [id, secret] = Buffer.from(`${headers.authorization}`.slice('Basic '.length), 'base64')
        .toString()
        .split(':');
      const decoded = [id, secret].map((text) => new URLSearchParams(`a=${text}`).get('a'));
      return decoded[0] === CLIENT.clientId && decoded[1] === CLIENT.clientSecret && !form.client_secret;
    },
    client_secret_post: ({ headers, form }) =>
      form.client_id === CLIENT.clientId && form.client_secret === CLIENT.clientSecret && !headers.authorization,
    client_secret_jwt: (request) =>
      claims(request, Buffer.from(CLIENT.clientSecret), ['HS256']).then(
        () => request.form.client_assertion_type === ASSERTION_TYPE,
      ),
    private_key_jwt: (request) =>
      claims(request, keys.publicKey, ['ES256']).then(() => request.form.client_assertion_type === ASSERTION_TYPE),
    none: ({ form }) => form.client_id === CLIENT.clientId && !form.client_secret,
  };

  it.each(Object.keys(CHECKS) as (keyof typeof CHECKS)[])(
    'authenticates by %s, and is rejected with a wrong secret',
    async (method) => {
      answer = async (request) => {
        const known = await Promise.resolve(CHECKS[method]?.(request)).catch(() => false);
        return known ? { access_token: 'a' } : { status: 401, body: { error: 'invalid_client' } };
      };
      const how = { tokenEndpointAuthMethod: method } as Partial<OAuth2Config>;
      expect((await open(how)).token).toBe('a');
      const wrong = {
        clientId: method === 'none' ? 'x' : CLIENT.clientId,
        clientSecret: 'x',
        privateKey: aKeyPair().pem,
      };
      await expect(open(how, { config: wrong })).rejects.toMatchObject({ status: 401, oauthError: 'invalid_client' });
    },
  );

  it('authenticates by id and secret in the form by default', async () => {
    expect(await formOf({})).toMatchObject({ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret });
  });

  it('sends nothing if its secret is missing', async () => {
    const before = source.requests.length;
    for (const tokenEndpointAuthMethod of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const) {
      const session = open({ tokenEndpointAuthMethod }, { config: { clientSecret: '' } });
      await expect(session).rejects.toMatchObject({ name: 'ConnectionConfigError', field: 'clientSecret' });
    }
    expect(source.requests).toHaveLength(before);
  });
});

describe('a token request', () => {
  it('is a form that accepts JSON, with the grant type of the strategy', async () => {
    expect((await formOf({})).grant_type).toBe('client_credentials');
    expect(source.last.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect((await formOf({ grantType: 'account_credentials' })).grant_type).toBe('account_credentials');
  });

  it('requests the scopes of both lists in order, without duplicates, or no scopes', async () => {
    const form = await formOf({ scopes: ['a', 'b'] }, { strategy: { defaultScopes: ['b', 'c'] } });
    expect(form.scope).toBe('a b c');
    expect(await formOf({})).not.toHaveProperty('scope');
  });

  it('contains its audience, unless an assertion does', async () => {
    expect((await formOf({ audienceParam: 'api.acme.test' })).audience).toBe('api.acme.test');
    const form = await formOf({ audienceParam: 'api.acme.test', tokenEndpointAuthMethod: 'private_key_jwt' });
    expect(form).not.toHaveProperty('audience');
    await jwtVerify(`${form.client_assertion}`, keys.publicKey, { audience: 'api.acme.test' });
  });

  it('contains the extra parameters of the strategy, filled in, which never override its own', async () => {
    const tokenEndpointExtraParams = { expires_in: 86_400, resource: 'r/{site}', grant_type: 'x', client_secret: 'y' };
    const form = await formOf({ tokenEndpointExtraParams }, { ingestionConfig: { site: 'a&b' } });
    expect(form).toMatchObject({ expires_in: '86400', resource: 'r/a&b', grant_type: 'client_credentials' });
    expect(form.client_secret).toBe(CLIENT.clientSecret);
    await expect(formOf({ tokenEndpointExtraParams: { a: {} } })).rejects.toThrow(ConnectionConfigError);
  });
});

describe('the response of a token endpoint', () => {
  it('contains token, lifetime, refresh token and scopes', async () => {
    const body = { access_token: 'a', expires_in: 3_600, refresh_token: 'r', scope: 'x y', id_token: 'i' };
    const session = await sessionOf(body);
    expect(session).toMatchObject({ token: 'a', refreshToken: 'r', scopes: ['x', 'y'] });
    expect(Math.abs(Number(session.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(30_000);
    expect(Math.abs(session.obtainedAt - Date.now())).toBeLessThan(30_000);
    expect(inspect(session)).not.toContain("'i'");
  });

  it.each([
    ['7200', 7_200],
    [7_200.5, 7_200.5],
    [0, undefined],
    [-1, undefined],
    ['', undefined],
    ['soon', undefined],
    [null, undefined],
    [1e99, undefined],
  ])('with the lifetime %j expires after %j seconds', async (expires_in, seconds) => {
    const { expiresAt, obtainedAt } = await sessionOf({ access_token: 'a', expires_in });
    if (seconds === undefined) expect(expiresAt).toBeUndefined();
    else expect(Math.abs(Number(expiresAt) - obtainedAt - seconds * 1_000)).toBeLessThan(30_000);
  });

  it.each([
    ['repo,gist', ['repo', 'gist']],
    ['a b', ['a', 'b']],
    [
      ['a', 1, 'b'],
      ['a', 'b'],
    ],
    ['', []],
    [undefined, undefined],
  ])('with the scopes %j grants %j', async (scope, scopes) => {
    expect((await sessionOf({ access_token: 'a', scope })).scopes).toEqual(scopes);
  });

  it('may begin with a byte order mark', async () => {
    expect(await sessionOf({ status: 200, body: '\ufeff{"access_token":"a"}' })).toMatchObject({ token: 'a' });
  });

  it('has its token at tokenResponsePath', async () => {
    const reply = { authed_user: { access_token: 'u' }, access_token: 'a' };
    expect((await sessionOf(reply, { tokenResponsePath: 'authed_user.access_token' })).token).toBe('u');
    await refusalOf(reply, { tokenResponsePath: 'nothing.here' });
  });

  it('may contain address variables', async () => {
    const variables = [
      { name: 'instanceUrl', source: 'oauth_response', oauthResponsePath: 'instance_url' },
      { name: 'siteId', source: 'oauth_response', oauthResponsePath: 'sites[0].id' },
      { name: 'none', source: 'oauth_response', oauthResponsePath: 'nothing' },
      { name: 'odd', source: 'oauth_response', oauthResponsePath: 'sites' },
    ];
    const body = { access_token: 'a', instance_url: 'https://acme.test', sites: [{ id: 7 }] };
    const { addressValues } = await sessionOf(body, {}, { addressingConfig: { host: '{instanceUrl}', variables } });
    expect(addressValues).toEqual({ instanceUrl: 'https://acme.test', siteId: '7' });
  });

  it.each<[string, StubResponse]>([
    ['a refusal', { status: 400, body: { error: 'invalid_grant' } }],
    ['an outage', { status: 503, body: 'away' }],
    ['200 with an error', { error: 'bad_verification_code' }],
    ['200 with ok false', { ok: false, error: 'invalid_code' }],
    ['200 with an empty token', { access_token: '' }],
    ['200 with a token that is not a string', { access_token: 1 }],
    ['200 with an HTML page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['200 with null', { status: 200, body: 'null' }],
    ['200 with a list', { status: 200, body: '[]' }],
    ['400 with a token', { status: 400, body: { access_token: 'a' } }],
    ['304', { status: 304 }],
  ])('that is %s throws TokenExchangeError', async (_, reply) => {
    const { status } = await refusalOf(reply);
    expect(status).toBe((reply as { status?: number }).status ?? 200);
  });

  it('without a token is available for classification, but never printed', async () => {
    const body = { error: 'invalid_client', error_description: `no such secret: ${CLIENT.clientSecret}` };
    const refusal = await refusalOf({ status: 401, body });
    expect(refusal).toMatchObject({ status: 401, oauthError: 'invalid_client', body });
    const printed = [inspect(refusal, { showHidden: true, depth: 9 }), JSON.stringify(refusal), `${refusal.stack}`];
    expect(printed.join()).not.toContain('canary');
    expect(Object.values({ ...refusal })).not.toContain(body);
    expect((await refusalOf({ error: 'slow_down' })).oauthError).toBeUndefined();
  });

  it('is limited to 64 KiB', async () => {
    const body = (length: number) => ({ access_token: 'a', padding: 'x'.repeat(length) });
    expect((await sessionOf(body(60_000))).token).toBe('a');
    await expect(sessionOf(body(70_000))).rejects.toMatchObject({ reason: 'reply_too_large' });
  });

  it.each([302, 303, 307, 308])('from another origin after a redirect with %d is rejected', async (status) => {
    const reply = { status, headers: { location: `${elsewhere.url}/token` }, body: '' };
    await expect(sessionOf(reply)).rejects.toMatchObject({ reason: 'redirect_not_allowed' });
    expect(elsewhere.requests.map(({ body }) => body).join()).not.toContain('canary');
  });

  it('times out with the request timeout of the connector', async () => {
    answer = () => new Promise(() => {});
    await expect(open({}, { connector: { timeoutSeconds: 0.1 } })).rejects.toMatchObject({ reason: 'timeout' });
  });
});
