import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aTap } from '../../support/catalog/definition-builders.js';
import { CredentialTestServer, jsonHandler, SOURCE_API_KEY } from '../../support/servers/tested-credential-server.js';
import { aSession, InMemorySessions } from '../../support/sources/in-memory-sessions.js';

const source = new CredentialTestServer();
beforeAll(() => source.start());
beforeEach(() => source.reset());
afterAll(() => source.stop());

describe('a credential', () => {
  it('that the source accepts is valid and has an identity', async () => {
    expect(await source.found(source.connection())).toEqual({
      status: 'valid',
      message: 'The source accepts the credential.',
      identity: 'ada',
      httpStatus: 200,
    });
  });

  it('that the source rejects is invalid', async () => {
    const outcome = await source.found(source.connection({}, { token: 'wrong' }));
    expect(outcome).toMatchObject({ status: 'invalid', errorCode: 'auth_failed', httpStatus: 401 });
  });

  it('is invalid if the body of a 200 contains an error', async () => {
    source.answers['/me'] = jsonHandler(200, { ok: false, error: 'invalid_auth' });
    const failures = [{ status: 200, when: "error == 'invalid_auth'", errorCode: 'auth_failed' as const }];
    const connection = source.connection({ verification: { url: '/me', failures } });
    expect(await source.found(connection)).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('is tested with the method, headers and body of the definition', async () => {
    source.answers['/graphql'] = (response, request) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { query } = JSON.parse(Buffer.concat(chunks).toString());
        jsonHandler(200, { data: [query, request.headers['x-version'], request.method].join() })(response, request);
      });
    };
    const verification = {
      url: '/graphql',
      method: 'POST',
      body: { query: 'q' },
      headers: { 'X-Version': 7 },
      identityPath: 'data',
    };
    expect(await source.found(source.connection({ verification }))).toMatchObject({
      status: 'valid',
      identity: 'q,7,POST',
    });
  });

  it('that cannot be added to a request is an invalid configuration', async () => {
    const outcome = await source.found(source.connection({}, { token: 'two\nlines' }));
    expect(outcome).toMatchObject({ status: 'invalid', errorCode: 'config_invalid' });
    expect(source.calls).toEqual([]);
  });
});

describe('a token exchange', () => {
  it('that fails is classified by the response of the token endpoint', async () => {
    source.answers['/token'] = jsonHandler(400, { error: 'invalid_client' });
    expect(await source.found(source.clientCredentials())).toMatchObject({
      status: 'invalid',
      errorCode: 'auth_failed',
    });
    expect(source.calls).toEqual(['POST /token']);
  });

  it('is the whole test with tokenExchangeOnly, and is repeated for every test', async () => {
    source.answers['/token'] = jsonHandler(200, { access_token: 'fresh', expires_in: 60 });
    const connection = source.clientCredentials({ verification: { tokenExchangeOnly: true } });
    const outcome = await source.found(connection, { session: aSession() });
    expect(outcome).toEqual({ status: 'valid', message: 'The source accepts the credential.' });
    expect(source.calls).toEqual(['POST /token']);
  });

  it('is the test if the definition has no other', async () => {
    source.answers['/token'] = jsonHandler(403, {});
    const outcome = await source.found(source.clientCredentials({ verification: undefined }));
    expect(outcome).toMatchObject({ status: 'invalid', errorCode: 'insufficient_permissions' });
  });

  it('with an unreachable endpoint has the same outcome as any unreachable address', async () => {
    const oauth2Config = { tokenEndpoint: 'https://10.0.0.1/token' };
    const outcome = await source.found(source.clientCredentials({ oauth2Config }));
    expect(outcome).toEqual({ status: 'inconclusive', message: 'The source cannot be reached.' });
  });
});

describe('a sign-in', () => {
  it('is required before the first test, which sends no request', async () => {
    const outcome = await source.found(source.signIn());
    expect(outcome).toEqual({ status: 'manual_validation_required', message: expect.stringContaining('Sign in') });
    expect(source.calls).toEqual([]);
  });

  it('without a refresh token expires with its session', async () => {
    const session = aSession({ token: SOURCE_API_KEY });
    const outcome = await source.found(source.signIn(), { session });
    expect(outcome).toMatchObject({ status: 'valid', expiresAt: session.expiresAt });
  });

  it('with a refresh token does not expire', async () => {
    const outcome = await source.found(source.signIn(), {
      session: aSession({ token: SOURCE_API_KEY, refreshToken: 'refresh-1' }),
    });
    expect(outcome).toMatchObject({ status: 'valid' });
    expect(outcome.expiresAt).toBeUndefined();
  });

  it('that is rejected after its expiry has expired', async () => {
    const session = aSession({ token: 'old', expiresAt: Date.now() - 1_000 });
    expect(await source.found(source.signIn(), { session })).toMatchObject({ status: 'expired', errorCode: 'expired' });
  });

  it('that can no longer be refreshed has expired', async () => {
    source.answers['/token'] = jsonHandler(400, { error: 'invalid_grant' });
    const session = aSession({ token: 'old', refreshToken: 'refresh-1' });
    expect(await source.found(source.signIn(), { session })).toMatchObject({ status: 'expired', errorCode: 'expired' });
  });
});

describe('a definition without a test', () => {
  const records = {
    apiType: 'rest' as const,
    restConfig: { endpoint: '/records', queryParams: { sort: 'id', of: '{site}' } },
  };

  it('is tested with one record of its first root tap', async () => {
    source.answers['/records'] = jsonHandler(200, []);
    const paged = { ...records, pagination: { type: 'offset' as const, offset: { limitParam: 'limit' } } };
    const taps = [aTap({ name: 'child' }), aTap({ name: 'root', transportOptions: [{ ...paged, priority: 1 }] })];
    const connection = source.connection({ verification: undefined }, { taps });
    Object.assign(connection.connector, { traversal: { rootTaps: ['root'] } });
    expect(await source.found(connection)).toMatchObject({ status: 'valid' });
    expect(source.calls).toEqual(['GET /records?sort=id&limit=1']);
  });

  it('and without taps is inconclusive', async () => {
    expect(await source.found(source.connection({ verification: undefined }))).toMatchObject({
      status: 'inconclusive',
    });
  });
});

describe('an internal error', () => {
  it('is reported through onInternalError, and is inconclusive', async () => {
    const causes: unknown[] = [];
    const broken = new Error(`no row for ${SOURCE_API_KEY}`);
    const sessions = Object.assign(new InMemorySessions(), { read: () => Promise.reject(broken) });
    const report = (cause: unknown) => causes.push(cause);
    const outcome = await source.found(source.connection(), { sessions, onInternalError: report });
    expect(outcome).toMatchObject({ status: 'inconclusive', errorCode: 'internal_error' });
    expect(JSON.stringify(outcome)).not.toContain(SOURCE_API_KEY);
    expect(causes).toEqual([broken]);
  });

  it('may be a definition whose request is not allowed', async () => {
    const causes: unknown[] = [];
    const connection = source.connection({ verification: { url: '/me', headers: { 'Transfer-Encoding': 'chunked' } } });
    const outcome = await source.found(connection, { onInternalError: (cause) => causes.push(cause) });
    expect(outcome).toMatchObject({ status: 'inconclusive', errorCode: 'internal_error' });
    expect(causes).toHaveLength(1);
  });
});
