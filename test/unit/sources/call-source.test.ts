import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { callSource, type SourceCall, type SourceCallRequest } from '../../../src/sources/calls/call-source.js';
import { sessionRefreshTimeOf } from '../../../src/sources/calls/session-refresh-time.js';
import { TokenExchangeError } from '../../../src/sources/responses/token-exchange-error.js';
import type { Session, StoredSession } from '../../../src/sources/session.js';
import { SignInRequiredError } from '../../../src/sources/sessions/sign-with-session.js';
import { ForeignAddressError } from '../../../src/sources/source-address.js';
import { type ReceivedRequest, SourceServer, type StubResponse } from '../../support/servers/source-server.js';
import { aSession, InMemorySessions } from '../../support/sources/in-memory-sessions.js';
import { aConnection } from '../../support/sources/source-connection.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let source: SourceServer;
let elsewhere: SourceServer;
let good: string[];
let issue: (request: ReceivedRequest) => StubResponse;
let api: (request: ReceivedRequest) => StubResponse | Promise<StubResponse>;

beforeAll(async () => {
  source = await new SourceServer((request) => (request.path === '/token' ? issue(request) : api(request))).open();
  elsewhere = await new SourceServer(() => 200).open();
});
afterAll(() => Promise.all([source.close(), elsewhere.close()]));

beforeEach(() => {
  source.requests.length = 0;
  elsewhere.requests.length = 0;
  good = ['token-1', 'token-2'];
  issue = () => ({ access_token: 'token-2', expires_in: 3_600 });
  api = ({ headers }) => (good.includes(`${headers.authorization}`.slice('Bearer '.length)) ? 200 : 401);
});

function holder(
  sessions: SourceCall['sessions'],
  strategy: Partial<StrategyDefinition> = {},
  rest: object = {},
): SourceCall {
  const oauth2Config = { tokenEndpoint: `${source.url}/token`, ...strategy.oauth2Config };
  const connection = aConnection({
    connector: { defaultBaseUrl: source.url },
    strategy: { type: 'oauth2_client_credentials', ...strategy, oauth2Config },
    config: { clientId: 'c', clientSecret: 's', refreshToken: 'r-0' },
  });
  return { connection, sessions, send: source.send, ...rest };
}

const call = (it: SourceCall, request: Partial<SourceCallRequest> = {}) => callSource(it, { path: '/me', ...request });
const exchanges = () => source.at('/token').length;
const calls = () => source.at('/me').length;

/** The session expires in `minutes` minutes. Its total lifetime is `lifetime` minutes. */
function endingIn(minutes: number, lifetime: number, overrides: Partial<Session> = {}): Session {
  const expiresAt = Date.now() + minutes * MINUTE;
  return aSession({ expiresAt, obtainedAt: expiresAt - lifetime * MINUTE, ...overrides });
}

describe('the refresh time', () => {
  it.each([
    [60, 6],
    [50, 5],
    [30, 5],
    [10, 5],
    [8, 4],
    [5, 2.5],
    [1, 0.5],
    [24 * 60, 144],
    [0, 0],
  ])('of a session of %d minutes is %d minutes before expiry', (lifetime, ahead) => {
    const expiresAt = 100 * HOUR;
    const session = aSession({ expiresAt, obtainedAt: expiresAt - lifetime * MINUTE });
    expect(sessionRefreshTimeOf(session)).toBe(expiresAt - ahead * MINUTE);
  });

  it('is undefined without an expiry', () =>
    expect(sessionRefreshTimeOf(aSession({ expiresAt: undefined }))).toBeUndefined());
});

describe('a session', () => {
  it('is opened by the first call, and reused by later calls', async () => {
    const it = holder(new InMemorySessions());
    for (let round = 0; round < 3; round++) expect((await call(it)).status).toBe(200);
    expect([exchanges(), calls()]).toEqual([1, 3]);
  });

  it('is opened once by concurrent first calls', async () => {
    const it = holder(new InMemorySessions());
    await Promise.all(Array.from({ length: 20 }, () => call(it)));
    expect(exchanges()).toBe(1);
  });

  it.each([
    [7, 60, 0],
    [5.9, 60, 1],
    [-1, 60, 1],
    [1.1, 2, 0],
    [0.9, 2, 1],
  ])('with %d minutes left of %d is renewed %d times', async (left, lifetime, times) => {
    expect((await call(holder(new InMemorySessions(endingIn(left, lifetime))))).status).toBe(200);
    expect([exchanges(), calls()]).toEqual([times, 1]);
  });

  it('without an expiry is renewed only after a refresh status', async () => {
    await call(holder(new InMemorySessions(aSession({ expiresAt: undefined, obtainedAt: 0 }))));
    expect(exchanges()).toBe(0);
  });

  it('with a lifetime of a minute is not renewed by every call', async () => {
    issue = () => ({ access_token: 'token-2', expires_in: 60 });
    const it = holder(new InMemorySessions());
    for (let round = 0; round < 3; round++) await call(it);
    expect(exchanges()).toBe(1);
  });

  it.each([[503], [429]])('is used until expiry while the token endpoint returns %d', async (status) => {
    issue = () => status;
    expect((await call(holder(new InMemorySessions(endingIn(3, 60))))).status).toBe(200);
    await expect(call(holder(new InMemorySessions(endingIn(-1, 60))))).rejects.toThrow(TokenExchangeError);
  });

  it('is used until expiry while the token endpoint is unreachable', async () => {
    const oauth2Config = { tokenEndpoint: 'http://127.0.0.1:1/token' };
    expect((await call(holder(new InMemorySessions(endingIn(3, 60)), { oauth2Config }))).status).toBe(200);
  });

  it('is replaced if the source rejects it, and the request is retried', async () => {
    good = ['token-2'];
    const it = holder(new InMemorySessions(aSession()));
    expect((await call(it, { method: 'POST', json: { a: 1 } })).status).toBe(200);
    expect(source.at('/me').map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect([exchanges(), calls()]).toEqual([1, 2]);
  });

  it('is replaced only once per request', async () => {
    good = [];
    expect((await call(holder(new InMemorySessions(aSession())))).status).toBe(401);
    expect([exchanges(), calls()]).toEqual([1, 2]);
  });

  it('that was just obtained is not replaced', async () => {
    good = [];
    expect((await call(holder(new InMemorySessions()))).status).toBe(401);
    expect([exchanges(), calls()]).toEqual([1, 1]);
  });

  it('is replaced only after the statuses in tokenRefreshCodes', async () => {
    api = () => 403;
    const named = (tokenRefreshCodes: number[]) => ({ oauth2Config: { tokenRefreshCodes } });
    await call(holder(new InMemorySessions(aSession()), named([403])));
    expect([exchanges(), calls()]).toEqual([1, 2]);
    await call(holder(new InMemorySessions(aSession())));
    api = () => 401;
    await call(holder(new InMemorySessions(aSession()), named([])));
    expect([exchanges(), calls()]).toEqual([1, 4]);
  });

  it('supplies address variables of the base URL', async () => {
    const variables = [{ name: 'home', source: 'oauth_response' as const, oauthResponsePath: 'home', required: true }];
    issue = () => ({ access_token: 'token-2', home: source.url });
    const addressingConfig = { scheme: 'http', host: '{home}', variables };
    expect((await call(holder(new InMemorySessions(), { addressingConfig }))).status).toBe(200);
  });
});

describe('a refresh token', () => {
  const REFRESH = { type: 'oauth2_refresh' } as const;
  const CODE = { type: 'oauth2_auth_code_pkce' } as const;

  it("is the customer's at first, then the token that the source returned", async () => {
    good = [];
    issue = ({ form }) => ({ access_token: 'x', refresh_token: `${form.refresh_token}+` });
    const sessions = new InMemorySessions();
    for (let round = 0; round < 3; round++) await call(holder(sessions, REFRESH));
    expect(source.at('/token').map(({ form }) => form.refresh_token)).toEqual(['r-0', 'r-0+', 'r-0++']);
  });

  it('is kept if the source returns no new token', async () => {
    good = [];
    issue = () => ({ access_token: 'x' });
    const sessions = new InMemorySessions(aSession({ refreshToken: 'r-1', addressValues: { a: 'b' }, scopes: ['s'] }));
    await call(holder(sessions, CODE));
    expect(sessions.kept?.session).toMatchObject({ refreshToken: 'r-1', addressValues: { a: 'b' }, scopes: ['s'] });
    expect(source.at('/token')[0]?.form).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'r-1' });
  });

  it('that another process used first is not an error: the session stored by that process is used', async () => {
    const sessions = new InMemorySessions(endingIn(1, 60, { refreshToken: 'r-1' }));
    issue = () => {
      sessions.kept = { version: 7, session: aSession({ token: 'token-2', refreshToken: 'r-2' }) };
      return { status: 400, body: { error: 'invalid_grant' } };
    };
    expect((await call(holder(sessions, CODE))).status).toBe(200);
    expect(source.last.headers.authorization).toBe('Bearer token-2');
  });

  it.each([
    ['invalid_grant', false],
    ['invalid_client', true],
  ])('that is rejected as %s fails the call', async (error, changed) => {
    const sessions = new InMemorySessions(endingIn(1, 60, { refreshToken: 'r-1' }));
    issue = () => {
      if (changed) sessions.kept = { version: 7, session: aSession() };
      return { status: 400, body: { error } };
    };
    await expect(call(holder(sessions, CODE))).rejects.toMatchObject({ oauthError: error });
    expect(calls()).toBe(0);
  });

  it('is missing: the session is used until the source rejects it, and then a sign-in is required', async () => {
    const sessions = new InMemorySessions(endingIn(-1, 60));
    expect((await call(holder(sessions, CODE))).status).toBe(200);
    good = [];
    expect((await call(holder(sessions, CODE))).status).toBe(401);
    expect([exchanges(), calls()]).toEqual([0, 2]);
    await expect(call(holder(new InMemorySessions(), CODE))).rejects.toThrow(SignInRequiredError);
  });

  it('is stored after rotation before the new token is used', async () => {
    const events: string[] = [];
    class Watched extends InMemorySessions {
      override async replace(...parameters: Parameters<InMemorySessions['replace']>): Promise<StoredSession> {
        const kept = await super.replace(...parameters);
        events.push(`kept ${kept.session.refreshToken}`);
        return kept;
      }
    }
    issue = () => ({ access_token: 'token-2', refresh_token: 'r-2' });
    api = () => {
      events.push('called');
      return 200;
    };
    await call(holder(new Watched(endingIn(1, 60, { refreshToken: 'r-1' })), CODE));
    expect(events).toEqual(['kept r-2', 'called']);
  });
});

describe('a call', () => {
  it('waits for the limits before every request, and is counted until its response', async () => {
    const waits: number[] = [];
    const acquire = async () => {
      waits.push(calls());
      return async () => void waits.push(calls());
    };
    const throttle: SourceCall['throttle'] = { acquire, pause: async () => {} };
    good = ['token-2'];
    await call(holder(new InMemorySessions(aSession()), {}, { throttle }));
    expect(waits).toEqual([0, 1, 1, 2]);
  });

  it('is limited by the timeout of the connector and by maxBytes', async () => {
    const it = holder(new InMemorySessions(aSession()));
    api = () => ({ text: 'x'.repeat(1_000) });
    await expect(call(it, { maxBytes: 100 })).rejects.toMatchObject({ reason: 'reply_too_large' });
    api = () => new Promise(() => {});
    const connector = { ...it.connection.connector, timeoutSeconds: 0.1 };
    await expect(call({ ...it, connection: { ...it.connection, connector } })).rejects.toMatchObject({
      reason: 'timeout',
    });
  });

  it('sends no credential to another origin, and returns the URL of the response', async () => {
    api = () => ({ status: 302, headers: { location: `${elsewhere.url}/me` }, body: '' });
    const reply = await call(holder(new InMemorySessions(aSession())));
    expect(reply.url).toBe(`${elsewhere.url}/me`);
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await expect(call(holder(new InMemorySessions(aSession())), { path: `${elsewhere.url}/me` })).rejects.toThrow(
      ForeignAddressError,
    );
    expect(elsewhere.requests).toHaveLength(1);
  });

  it('may use an absolute URL of the definition', async () => {
    const url = `${elsewhere.url}/{tenant}/me`;
    const it = holder(new InMemorySessions(aSession()), { verification: { url } });
    const connection = { ...it.connection, ingestionConfig: { tenant: 'a/b' } };
    await call({ ...it, connection }, { path: url });
    expect(elsewhere.last).toMatchObject({ path: '/a%2Fb/me', headers: { authorization: 'Bearer token-1' } });
  });
});
