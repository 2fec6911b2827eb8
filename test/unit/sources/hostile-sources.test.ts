import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { remainingFloorMs } from '../../../src/sources/calls/timing-floor.js';
import {
  CredentialTestServer,
  jsonHandler,
  SOURCE_API_KEY,
  type SourceHandler,
} from '../../support/servers/tested-credential-server.js';

const source = new CredentialTestServer();
beforeAll(() => source.start());
beforeEach(() => source.reset());
afterAll(() => source.stop());

describe('a hostile or broken source', () => {
  const HOSTILE: [string, () => SourceHandler | undefined, string][] = [
    ['hangs', () => () => undefined, 'did not respond in time'],
    ['drips', () => (response) => drip(response), 'did not respond in time'],
    ['sends 10 GiB', () => (response) => pour(response), 'exceeds the size limit'],
    ['packs 10 MiB into 10 KiB', () => (response) => bomb(response), 'exceeds the size limit'],
    ['breaks off', () => (response) => breakOff(response), 'cannot be reached'],
    ['returns a sign-in page', () => (response) => void response.end('<!doctype html>'), 'an HTML page'],
    ['redirects to another origin', () => redirect('/other'), 'another host'],
    ['redirects to another origin by way of its own', () => redirect('/me/again'), 'another host'],
    [
      'redirects forever',
      () => (response) => void response.writeHead(302, { location: '/me' }).end(),
      'cannot be reached',
    ],
    ['is down', () => jsonHandler(503, {}, { 'retry-after': '7' }), 'temporarily unavailable'],
    ['throttles', () => jsonHandler(429, {}, { 'retry-after': '7' }), 'rate limiting'],
  ];

  it.each(HOSTILE)('that %s is inconclusive', async (_, answer, message) => {
    source.answers['/me'] = answer() as SourceHandler;
    source.answers['/me/again'] = redirect('/other');
    source.answers['/other'] = jsonHandler(200, { login: 'somebody else' });
    const timeout = message.endsWith('in time') ? 1_000 : 30_000;
    const outcome = await source.found(source.connection(), { timeoutMs: timeout });
    expect(outcome.status).toBe('inconclusive');
    expect(outcome.message).toContain(message);
    expect(outcome.identity).toBeUndefined();
  });

  it('may return Retry-After', async () => {
    source.answers['/me'] = jsonHandler(429, {}, { 'retry-after': '7' });
    expect(await source.found(source.connection())).toMatchObject({ retryAfter: 7_000, httpStatus: 429 });
  });

  it('has one timeout for the whole test, not one per request', async () => {
    const answered: string[] = [];
    const slowly = (answer: SourceHandler): SourceHandler => {
      return async (response, request) => {
        await sleep(1_000);
        answered.push(request.url ?? '');
        answer(response, request);
      };
    };
    source.answers['/token'] = slowly(jsonHandler(200, { access_token: SOURCE_API_KEY }));
    source.answers['/me'] = slowly(jsonHandler(200, { login: 'ada' }));
    expect(await source.found(source.clientCredentials(), { timeoutMs: 1_500 })).toMatchObject({
      status: 'inconclusive',
    });
    expect(answered).not.toContain('/me');
    expect(await source.found(source.clientCredentials(), { timeoutMs: 30_000 })).toMatchObject({ status: 'valid' });
  });

  it('does not extend the timeout by throttling a request', async () => {
    const connection = source.connection();
    const neverReady = { acquire: () => new Promise<never>(() => undefined), pause: async () => undefined };
    const outcome = await source.found(connection, { timeoutMs: 100, throttle: neverReady });
    expect(outcome.message).toContain('in time');
  });

  function redirect(path: string): SourceHandler {
    const to = path === '/other' ? source.elsewhere + path : path;
    return (response) => void response.writeHead(302, { location: to }).end();
  }
});

describe('an unreachable address', () => {
  const NOWHERE: [string, string][] = [
    ['that is closed', 'http://127.0.0.1:1'],
    ['that is not allowed', 'http://10.0.0.1'],
    ['of the cloud', 'https://169.254.169.254'],
    ['without a name', 'https://nowhere.invalid'],
    ['that speaks no TLS', 'https://127.0.0.1:PORT'],
  ];

  it.each(NOWHERE)('%s has the same outcome as all other addresses, and takes the timing floor', async (_, baseUrl) => {
    const begun = performance.now();
    const outcome = await source.found(
      source.connection({}, { baseUrl: baseUrl.replace('PORT', URL.parse(source.origin)?.port ?? '') }),
      {
        floorMs: 400,
      },
    );
    expect(performance.now() - begun).toBeGreaterThan(395);
    expect(outcome).toEqual({ status: 'inconclusive', message: 'The source cannot be reached.' });
  });

  it('takes a multiple of the timing floor if it takes longer than the floor', async () => {
    source.answers['/me'] = (response) => void setTimeout(() => response.destroy(), 350);
    const begun = performance.now();
    expect((await source.found(source.connection(), { floorMs: 200 })).message).toBe('The source cannot be reached.');
    expect(performance.now() - begun).toBeGreaterThan(395);
  });

  it.each([
    [0, 400],
    [1, 399],
    [399.5, 0.5],
    [400, 400],
    [1_050, 150],
  ])('waits after %d ms, with a floor of 400 ms, for another %d ms', (elapsed, rest) => {
    expect(remainingFloorMs(elapsed, 400)).toBe(rest);
  });

  it('takes a second by default', async () => {
    const begun = performance.now();
    await source.found(source.connection({}, { baseUrl: 'http://10.0.0.1' }), { floorMs: undefined });
    expect(performance.now() - begun).toBeGreaterThan(990);
  });
});

describe('secrets that a source echoes', () => {
  it.each([
    ['raw', SOURCE_API_KEY],
    ['URL-encoded', encodeURIComponent(SOURCE_API_KEY)],
    ['in base64', Buffer.from(`:${SOURCE_API_KEY}`).toString('base64')],
    ['in hex', Buffer.from(SOURCE_API_KEY).toString('hex')],
  ])('%s are removed from identity and scopes', async (_, echo) => {
    source.answers['/me'] = jsonHandler(200, { login: `token ${echo}`, scopes: ['read', echo] });
    const outcome = await source.found(
      source.connection({ verification: { url: '/me', identityPath: 'login', grantedScopesPath: 'scopes' } }),
    );
    expect(outcome).toEqual({
      status: 'valid',
      message: expect.any(String),
      httpStatus: 200,
      grantedScopes: ['read'],
      missingScopes: [],
    });
  });

  it('are removed if they are tokens of the source', async () => {
    source.answers['/token'] = jsonHandler(200, {
      access_token: 'access-token-1',
      refresh_token: 'refresh-token-1',
      scope: 'refresh-token-1 read',
    });
    source.answers['/me'] = jsonHandler(200, { login: 'access-token-1' });
    const outcome = await source.found(
      source.clientCredentials({ verification: { url: '/me', identityPath: 'login' } }),
    );
    expect(outcome).toMatchObject({ status: 'valid', grantedScopes: ['read'], missingScopes: ['write'] });
    expect(outcome.identity).toBeUndefined();
  });

  it('are removed from the response of a token exchange', async () => {
    source.answers['/token'] = jsonHandler(200, { access_token: 'access-token-1', scope: 'access-token-1 read' });
    const outcome = await source.found(source.clientCredentials({ verification: { tokenExchangeOnly: true } }));
    expect(outcome).toMatchObject({ status: 'valid', grantedScopes: ['read'], missingScopes: ['write'] });
  });
});

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '9' }).write('half');
  setTimeout(() => response.destroy(), 20);
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': String(10 * 1024 ** 3) });
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 32)));
  };
  response.on('drain', more);
  more();
}

function bomb(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10 * 1024 * 1024, 32)));
}
