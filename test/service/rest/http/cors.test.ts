import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../../src/kernel/ids.js';
import { aService } from '../../../support/service/service.js';

const APP = 'https://app.example.com';
const OTHER = 'https://evil.example.com';
const REQUEST_ID = '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f';

const service = aService({ CORS_ORIGINS: `${APP}, http://localhost:5173`, RATE_LIMITS: 'on' });

const from = (origin: string, headers: Record<string, string> = {}) => ({ headers: { origin, ...headers } });

function preflight(path: string, origin: string, method: string, headers: string) {
  const requested = { 'access-control-request-method': method, 'access-control-request-headers': headers };
  return service.request(path, { method: 'OPTIONS', ...from(origin, requested) });
}

function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('a script of a listed origin', () => {
  it.each([
    ['/graphql', 'POST', 'authorization,content-type,x-tenant'],
    ['/api/users/me', 'GET', 'authorization,x-tenant,if-none-match'],
    ['/api/artifacts/upload-artifact', 'POST', 'authorization,idempotency-key,x-tenant'],
    ['/api/artifacts/any', 'DELETE', 'authorization'],
    ['/api/users/invitations', 'PATCH', 'authorization'],
    ['/api/connectors/any/base-url', 'PUT', 'authorization,content-type'],
  ])('passes a preflight to %s for %s without a token and without rate limit', async (path, method, headers) => {
    const { status, text, headers: got } = await preflight(path, APP, method, headers);
    expect([status, text, got.get('access-control-allow-origin')]).toEqual([204, '', APP]);
    expect(got.get('access-control-allow-methods')).toContain(method);
    expect(got.get('access-control-allow-headers')).toBe(headers);
    expect(got.get('access-control-max-age')).toBe('7200');
    expect([got.get('access-control-allow-credentials'), got.get('ratelimit-remaining')]).toEqual([null, null]);
  });

  it('may use all methods of the API', async () => {
    const { paths } = (await service.request('/api/openapi.json')).body;
    const methods = new Set(Object.values<object>(paths).flatMap(Object.keys));
    const { headers } = await preflight('/api/users/me', APP, 'GET', 'authorization');
    const allowed = headers.get('access-control-allow-methods')?.toLowerCase().split(/, ?/);
    expect(allowed).toEqual(expect.arrayContaining([...methods]));
  });

  it('can read responses and their headers, including 401, 404, 405 and malformed URLs', async () => {
    const replies = await Promise.all([
      service.request('/api/vendors/platform-vendors?limit=1', from(APP)),
      service.request('/api/users/me', from(APP)),
      service.request('/api/nowhere', from(APP)),
      service.request('/api/users/me', { method: 'PUT', ...from(APP) }),
      service.request('/api/%zz', from(APP)),
      service.as('owner').request(`/api/artifacts/${newId()}`, from(APP)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 404, 405, 400, 200]);
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe(APP);
      expect(headers.get('vary')).toMatch(/\bOrigin\b/);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    const exposed = (replies[0]?.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, ?/);
    const safe = ['cache-control', 'content-length', 'content-type'];
    const sent = replies.flatMap(({ headers }) => [...headers.keys()]).filter((name) => !safe.includes(name));
    const own = sent.filter((name) => /^(x-request|x-error|etag|retry|ratelimit|www|allow$|idempotency)/.test(name));
    expect(new Set(own).size).toBeGreaterThan(6);
    expect(own.filter((name) => !exposed.includes(name))).toEqual([]);
    expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'idempotency-replayed', 'deprecation', 'sunset']));
  });

  it.each([
    [
      'headers that are too large',
      `GET /api HTTP/1.1\r\nHost: a\r\nOrigin: ${APP}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'an invalid Content-Length',
      `POST /graphql HTTP/1.1\r\nHost: a\r\nOrigin: ${APP}\r\nContent-Length: x\r\n\r\n`,
      400,
    ],
    [
      'an unknown Expect header',
      `POST /api HTTP/1.1\r\nHost: a\r\nOrigin: ${APP}\r\nExpect: more\r\nConnection: close\r\n\r\n`,
      400,
    ],
  ])('can read the error if the parser rejects %s', async (_, bytes, status) => {
    const text = await raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain(`\r\nAccess-Control-Allow-Origin: ${APP}\r\n`);
    expect(text).toMatch(/\r\nAccess-Control-Expose-Headers: .*X-Error-Code/);
    expect(await raw(bytes.replaceAll(APP, OTHER))).not.toContain('Access-Control-Allow-Origin');
  });
});

it('a cached response that bypasses the middleware has the same headers as other responses, for every origin', async () => {
  const path = '/api/vendors/platform-vendors?limit=2';
  const headersOf = async (method: string, headers: Record<string, string>): Promise<object> => {
    const reply = await service.request(path, { method, headers: { 'x-request-id': REQUEST_ID, ...headers } });
    const left = ['ratelimit-remaining', 'ratelimit-reset'].map((name) => reply.headers.get(name));
    expect(left).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
    const same = [...reply.headers].filter(([name]) => !/^(date|connection|keep-alive|ratelimit-re\w+)$/.test(name));
    return { ...Object.fromEntries(same), status: reply.status };
  };
  const requests: Record<string, string>[] = [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }];
  for (const origin of [APP, OTHER, ''])
    for (const request of requests) {
      const headers = { ...request, ...(origin && { origin }) };
      const expected = await headersOf('HEAD', headers);
      expect(expected).toMatchObject({ 'x-request-id': REQUEST_ID, 'x-content-type-options': 'nosniff' });
      for (const _ of ['unknown', 'known']) expect(await headersOf('GET', headers)).toEqual(expected);
    }
});

describe('a script of any other origin', () => {
  it.each([OTHER, 'null', `${APP}.evil.com`, 'http://app.example.com', `${APP}:8443`, ''])(
    'can neither send requests nor read responses: %j',
    async (origin) => {
      const requested = await preflight('/api/users/me', origin, 'GET', 'authorization');
      const { headers } = await service.request('/api/vendors/platform-vendors?limit=1', from(origin));
      expect([requested.status, requested.headers.get('access-control-allow-origin')]).toEqual([405, null]);
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-methods')]).toEqual([
        null,
        null,
      ]);
      expect(headers.get('vary')).toMatch(/\bOrigin\b/);
    },
  );

  it('cannot run an operation with a request that needs no preflight', async () => {
    const body = JSON.stringify({ query: '{ platformVendors(limit: 1) { total } }' });
    for (const origin of [OTHER, APP]) {
      const simple = { method: 'POST', body, ...from(origin, { 'content-type': 'text/plain' }) };
      expect((await service.request('/graphql', simple)).body).not.toHaveProperty('data');
      const query = encodeURIComponent('{ platformVendors(limit: 1) { total } }');
      const { status, body: got } = await service.request(`/graphql?query=${query}`, from(origin));
      expect([status, got.errors.length]).toEqual([400, 1]);
    }
  });
});
