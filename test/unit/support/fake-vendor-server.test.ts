import { createPrivateKey, randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { nowSeconds } from '../../support/identity/jwks-server.js';
import { FIXED_PASSWORD } from '../../support/vendors/credential-checks.js';
import { type FakeCredential, withWrongSecretValues } from '../../support/vendors/fake-credential.js';
import { aFakeVendorServer } from '../../support/vendors/fake-vendor-server.js';
import { SESSION_AUDIENCE } from '../../support/vendors/session-endpoints.js';
import * as behaviours from '../../support/vendors/vendor-responses.js';

type Config = Readonly<Record<string, string>>;

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const vendor = await aFakeVendorServer();
const another = await aFakeVendorServer();
const outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
const { credentials } = vendor;

beforeEach(() => vendor.recover());
afterAll(() => Promise.all([vendor.close(), another.close(), outbound.close()]));

describe('a credential that is sent unchanged', () => {
  const sent: Record<string, [path: string, headers: (config: Config) => Record<string, string>]> = {
    'api-key-header': ['/api-key-header/me', ({ apiKey = '' }) => ({ 'x-api-key': apiKey })],
    bearer: ['/bearer/me', ({ token = '' }) => ({ authorization: `Bearer ${token}` })],
    basic: ['/basic/me', ({ username, password }) => basic(`${username}:${password}`)],
    'basic-fixed-password': ['/basic/me', ({ apiKey }) => basic(`${apiKey}:${FIXED_PASSWORD}`)],
    'basic-encoded': ['/basic/me', ({ encodedToken }) => ({ authorization: `Basic ${encodedToken}` })],
    custom: [
      '/custom/me',
      ({ apiKey = '', applicationKey = '' }) => ({ 'dd-api-key': apiKey, 'dd-application-key': applicationKey }),
    ],
  };

  it.each(Object.entries(sent))(
    'of %s is accepted, and a wrong credential is rejected',
    async (key, [path, headersOf]) => {
      const right = credentials[key as keyof typeof credentials];
      expect(await statusOf(path, headersOf(right.authenticationConfig))).toBe(200);
      for (const config of wrongConfigsOf(right)) expect(await statusOf(path, headersOf(config))).toBe(401);
      expect(await statusOf(path)).toBe(401);
    },
  );

  it('is rejected without a User-Agent', async () => {
    const { token } = credentials.bearer.authenticationConfig;
    expect(await statusOf('/bearer/me', { authorization: `Bearer ${token}`, 'user-agent': '' })).toBe(403);
  });

  it('is accepted in the query if its method requires that', async () => {
    const { apiKey } = credentials['api-key-query'].authenticationConfig;
    expect(await statusOf(`/api-key-query/me?api_key=${apiKey}`)).toBe(200);
    expect(await statusOf(`/api-key-query/me?api_key=${apiKey}0`)).toBe(401);
  });

  it('is accepted only by its own connector', async () => {
    const { apiKey = '' } = credentials.custom.authenticationConfig;
    expect(await statusOf('/api-key-header/me', { 'x-api-key': apiKey })).toBe(401);
  });
});

describe('the token endpoint', () => {
  it('accepts a refresh token once; its second use revokes the grant', async () => {
    const { refreshToken, ...client } = another.credentials['oauth2-refresh'].authenticationConfig;
    const renew = (token = '') =>
      exchange({ grant_type: 'refresh_token', refresh_token: token, ...form(client) }, {}, another.origin);
    const first = await renew(refreshToken);
    const second = await renew(first.body.refresh_token);
    const read = () => fetch(`${another.origin}/oauth2-refresh/me`, { headers: bearer(second.body.access_token) });
    expect([first.status, second.status, (await read()).status]).toEqual([200, 200, 200]);
    expect(await renew(first.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect([(await renew(second.body.refresh_token)).status, (await read()).status]).toEqual([400, 401]);
  });

  it('requires the authentication method and the encoding of the client', async () => {
    const post = credentials['oauth2-client-credentials'].authenticationConfig;
    const header = credentials['oauth2-client-credentials-basic'].authenticationConfig;
    const grant = { grant_type: 'client_credentials' };
    const encoded = [header.clientId, header.clientSecret].map((text) => encodeURIComponent(text ?? '')).join(':');
    expect(await exchange({ ...grant, ...form(post) })).toMatchObject({ status: 200 });
    expect(await exchange(grant, basic(encoded))).toMatchObject({ status: 200 });
    expect(await exchange(grant, basic(`${header.clientId}:${header.clientSecret}`))).toMatchObject({ status: 401 });
    expect(await exchange({ ...grant, ...form(header) })).toMatchObject({ status: 401 });
    expect(await exchange({ ...grant, ...form(post), client_secret: 'other' })).toMatchObject({ status: 401 });
  });

  it('issues tokens that expire', async () => {
    const { body } = await exchange({
      grant_type: 'client_credentials',
      ...form(credentials['oauth2-client-credentials'].authenticationConfig),
      scope: 'records:read other',
    });
    expect(body).toMatchObject({ scope: 'records:read', expires_in: 3_600, instance_url: vendor.origin });
    const read = () => call('/oauth2-client-credentials/me', bearer(body.access_token));
    expect(await read()).toMatchObject({ status: 200, body: { scopes: ['records:read'] } });
    expect(await statusOf('/oauth2-refresh/me', bearer(body.access_token))).toBe(401);
    vendor.tokens.expireAll();
    expect(await read()).toMatchObject({ status: 401, body: { error: 'expired' } });
  });

  it.each([
    ['valid', {}, {}, 200],
    ['for another audience', { aud: 'https://other.test' }, {}, 400],
    ['for another subject', { sub: 'eve@vendor.test' }, {}, 400],
    ['expired', { exp: nowSeconds() - 1 }, {}, 400],
    ['without an expiry', { exp: undefined }, {}, 400],
    ['without an id', { jti: undefined }, {}, 400],
    ['signed with another key', {}, withWrongSecretValues(credentials['oauth2-jwt-bearer']).authenticationConfig, 400],
  ])('validates an assertion that is %s', async (_, claims, config, status) => {
    const { clientId, subject, privateKey } = { ...credentials['oauth2-jwt-bearer'].authenticationConfig, ...config };
    const assertion = await assertionOf({ iss: clientId, sub: subject, ...claims }, privateKey as string);
    expect(await exchange({ grant_type: JWT_BEARER, assertion })).toMatchObject({ status });
    // An assertion can be used only once.
    expect(await exchange({ grant_type: JWT_BEARER, assertion })).toMatchObject({ status: 400 });
  });

  it('lets a service account impersonate only its user', async () => {
    const { authenticationConfig, ingestionConfig } = credentials['google-domain-wide-delegation'];
    const { clientEmail: iss, privateKey = '' } = authenticationConfig;
    const answerFor = async (sub?: string) => {
      const assertion = await assertionOf({ iss, sub, scope: 'records:read' }, privateKey);
      return exchange({ grant_type: JWT_BEARER, assertion });
    };
    const { body } = await answerFor(ingestionConfig?.delegatedUser);
    const path = '/google-domain-wide-delegation/me';
    expect(await call(path, bearer(body.access_token))).toMatchObject({
      status: 200,
      body: { email: 'grace@vendor.test' },
    });
    expect(await answerFor('eve@vendor.test')).toMatchObject({ status: 400 });
  });
});

describe('the sign-in endpoints', () => {
  const bodies: Record<string, [path: string, body: (config: Config) => object | Promise<object>]> = {
    'session-exchange': [
      '/sessions',
      ({ tokenName, tokenSecret }) => ({ credentials: { name: tokenName, secret: tokenSecret } }),
    ],
    'session-exchange-password': [
      '/sessions/password',
      ({ username, password }) => ({ login: username, passphrase: password }),
    ],
    'session-exchange-jwt': ['/sessions/jwt', async (config) => ({ jwt: await sessionJwt(config) })],
  };

  it.each(Object.entries(bodies))('open a session for %s with the right secret only', async (key, [path, bodyOf]) => {
    const right = credentials[key as keyof typeof credentials];
    const signIn = async (config: Config) => post(path, JSON.stringify(await bodyOf(config)));
    const { body } = await signIn(right.authenticationConfig);
    const token = body.id ?? body.session.token;
    expect(await statusOf(`/${key}/me`, { 'x-session': token })).toBe(200);
    expect((await signIn(withWrongSecretValues(right).authenticationConfig)).status).toBe(401);
    expect(await statusOf(`/${key}/me`, { 'x-session': `${token}0` })).toBe(401);
  });
});

describe('a behaviour', () => {
  const outcomes: [name: string, behaviours.VendorBehaviour, outcome: unknown][] = [
    ['unauthorized', behaviours.replyUnauthorized(), 401],
    ['expired', behaviours.replyExpired(), 401],
    ['forbidden', behaviours.replyForbidden(), 403],
    ['throttled', behaviours.replyThrottled(), 429],
    ['down', behaviours.replyServerError(503), 503],
    ['errorBody', behaviours.replyErrorInOkBody(), 200],
    ['loginPage', behaviours.replyLoginPage(), 200],
    ['hang', behaviours.neverReply(), 'timeout'],
    ['drip', behaviours.replySlowly(), 'timeout'],
    ['endless', behaviours.replyEndlessly(), 'reply_too_large'],
    ['gzipBomb', behaviours.replyGzipBomb(), 'reply_too_large'],
    ['redirectTo', behaviours.replyRedirect('http://10.0.0.1/'), 'address_not_allowed'],
  ];

  it.each(outcomes)('such as %s has the expected effect on a client', async (_, behaviour, outcome) => {
    vendor.behave('/bearer/me', behaviour);
    const seen = outbound.request(`${vendor.origin}/bearer/me`, { timeoutMs: outcome === 'timeout' ? 1_000 : 30_000 });
    expect(
      await seen.then(
        ({ status }) => status,
        ({ reason }) => reason,
      ),
    ).toBe(outcome);
  });

  it('applies only to the given path and number of calls', async () => {
    vendor.behave('/bearer/me', behaviours.replyServerError(), { times: 1 });
    const statuses = [await statusOf('/bearer/records'), await statusOf('/bearer/me'), await statusOf('/bearer/me')];
    expect(statuses).toEqual([401, 500, 401]);
  });

  it('can echo the secrets of the request', async () => {
    vendor.behave('*', behaviours.replyEcho(401));
    const { status, body } = await call('/bearer/me?api_key=in-the-query', bearer('in-a-header'));
    expect([status, body.email]).toEqual([401, 'in-a-header in-the-query']);
  });
});

it('records the requests', async () => {
  const before = vendor.calls.length;
  await post('/sessions?a=b', '{"c": "d"}');
  expect(vendor.calls.slice(before)).toMatchObject([{ method: 'POST', path: '/sessions', body: '{"c": "d"}' }]);
  expect(vendor.callsTo('/sessions').at(-1)?.query.get('a')).toBe('b');
});

function wrongConfigsOf(right: FakeCredential): Config[] {
  const wrong = Object.entries(withWrongSecretValues(right).authenticationConfig);
  const changed = wrong.filter(([name, value]) => right.authenticationConfig[name] !== value);
  return changed.map(([name, value]) => ({ ...right.authenticationConfig, [name]: value }));
}

async function call(path: string, headers = {}) {
  const reply = await fetch(vendor.origin + path, { headers });
  return { status: reply.status, body: await reply.json() };
}

async function statusOf(path: string, headers = {}): Promise<number> {
  return (await call(path, headers)).status;
}

async function post(path: string, body: string | URLSearchParams, headers = {}, origin = vendor.origin) {
  const reply = await fetch(origin + path, { method: 'POST', body, headers });
  return { status: reply.status, body: await reply.json() };
}

function exchange(parameters: Record<string, string>, headers = {}, origin = vendor.origin) {
  return post('/oauth/token', new URLSearchParams(parameters), headers, origin);
}

function form({ clientId = '', clientSecret = '' }: Config) {
  return { client_id: clientId, client_secret: clientSecret };
}

function basic(pair: string) {
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

function assertionOf(claims: JWTPayload, privateKey: string): Promise<string> {
  const usual = { aud: `${vendor.origin}/oauth/token`, iat: nowSeconds(), exp: nowSeconds() + 60, jti: randomUUID() };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(createPrivateKey(privateKey));
}

function sessionJwt({ clientId, keyId, subject, clientSecret }: Config): Promise<string> {
  const claims = {
    iss: clientId,
    sub: subject,
    aud: SESSION_AUDIENCE,
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
    jti: randomUUID(),
  };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: keyId }).sign(Buffer.from(clientSecret ?? ''));
}
