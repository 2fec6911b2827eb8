import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { aService, type Reply } from '../../../support/service/service.js';

const service = aService();

function expectError({ status, headers, body }: Reply, code: string, expected: number): void {
  expect(status).toBe(expected);
  expect(headers.get('x-error-code')).toBe(code);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toMatch(new RegExp(`^${code}: [A-Z"a-z].*\\.$`));
}

/** Sends raw bytes, and ends the client's side of the connection after 300 ms. Returns the whole response as text. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    setTimeout(() => socket.end(), 300).unref();
  });
}

function expectRawError(text: string, status: number, code: string): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head.toLowerCase()).toContain('content-type: application/json');
  expect(JSON.parse(body).error).toMatch(new RegExp(`^${code}: `));
}

describe('errors', () => {
  it.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked', 'gzip'])(
    'returns 400 for Transfer-Encoding: %s',
    async (coding) => {
      for (const path of ['/graphql', '/api/users/invitations', '/ingest/token']) {
        const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
        expectRawError(
          await raw(`${head}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
          400,
          'BAD_REQUEST',
        );
      }
    },
  );

  it.each([
    ['100 parameters', 404, 100],
    ['101 parameters', 400, 101],
  ])('a URL with %s returns %i', async (_, status, count) => {
    expect((await service.request(`/nowhere?${'a&'.repeat(count).slice(0, -1)}`)).status).toBe(status);
  });

  it('returns 400 for a Content-Type of more than 200 characters', async () => {
    const headers = { 'content-type': `application/json${' '.repeat(200)};a=b` };
    expectError(await service.request('/graphql', { method: 'POST', headers, body: '{}' }), 'BAD_REQUEST', 400);
  });

  it.each(['/nowhere', '/metrics', '/api', '/api/', '/api/vendors', '/graphql/none', '/%00', '/api/connectors/a/b'])(
    'returns 404 at %s',
    async (path) => {
      expectError(await service.request(path), 'NOT_FOUND', 404);
    },
  );

  it.each([
    ['DELETE', '/api/vendors/platform-vendors', 'GET, HEAD'],
    ['POST', '/api/vendors/platform-vendors/github', 'GET, HEAD'],
    ['PUT', '/api/users/invitations', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/users/invitations', 'GET, HEAD, POST'],
    ['DELETE', '/api/users/me', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PATCH', '/api/openapi.json', 'GET, HEAD'],
    ['DELETE', '/graphql', 'GET, HEAD, POST'],
  ])('returns 405 with the allowed methods for %s %s', async (method, path, allow) => {
    const reply = await service.request(path, { method });
    expectError(reply, 'METHOD_NOT_ALLOWED', 405);
    expect(reply.headers.get('allow')).toBe(allow);
  });

  it.each(['/api/vendors/platform-vendors/%', '/api/vendors/platform-vendors/%zz', '/%ff%fe', '/api/%c0%af'])(
    'returns 400 for the malformed percent-encoding of %s',
    async (path) => {
      expectRawError(await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`), 400, 'BAD_REQUEST');
    },
  );

  it.each([
    '/api/vendors/platform-vendors?search=%00',
    '/api/vendors/platform-vendors/%00',
    '/api/vendors/platform-vendor-groupings/a%00b',
    '/api/vendors/platform-vendors?search=%zz',
    '/api/vendors/platform-vendors?search=%E0%A4',
  ])('returns 400 for %s', async (path) => {
    expectError(await service.request(path), 'BAD_REQUEST', 400);
  });

  it.each(['/API/vendors/platform-vendors', '/api/vendors/platform-vendors/', '/api/vendors/platform-vendors/%2e'])(
    'returns 404 for %s, even after a request for the similar path',
    async (path) => {
      await service.request('/api/vendors/platform-vendors');
      expect((await service.request(path)).status).toBe(404);
    },
  );

  it('returns 431 for a URL of 100 KB', async () => {
    expectRawError(await raw(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`), 431, 'HEADERS_TOO_LARGE');
  });

  it.each([
    ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\r\n\r\n'],
    ['a request without Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'Content-Length and Transfer-Encoding',
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc',
    ],
    ['an invalid Content-Length', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
    ['an unknown Expect header', 'POST /graphql HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n'],
    ['an invalid URL', 'GET http://[ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['an unknown method', 'FROB /api HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('returns 400 for %s', async (_, bytes) => {
    expectRawError(await raw(bytes), 400, 'BAD_REQUEST');
  });

  it('returns 400 for a malformed request whose response is cached', async () => {
    const path = '/api/vendors/platform-vendors';
    const head = `GET ${path} HTTP/1.1\r\nConnection: close\r\nHost: a\r\n`;
    for (const _ of ['unknown', 'known']) expect((await service.request(path)).status).toBe(200);
    expect(await raw(`${head}\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    for (const more of ['Host: a\r\n', 'Transfer-Encoding: gzip, chunked\r\n'])
      expectRawError(await raw(`${head}${more}\r\n`), 400, 'BAD_REQUEST');
  });

  it('returns 400 for CONNECT and closes the connection', async () => {
    expectRawError(await raw('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'), 400, 'BAD_REQUEST');
  });
});

describe('X-Request-ID', () => {
  it('echoes a UUID, in the header and in the body', async () => {
    const requestId = '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f';
    const { headers, body } = await service.request('/api/vendors/platform-vendors', {
      headers: { 'x-request-id': requestId },
    });
    expect([headers.get('x-request-id'), body.meta.requestId]).toEqual([requestId, requestId]);
  });

  it.each(['x', '"}', '3f0d2c8e6b1a4c5d9e7f0a1b2c3d4e5f', '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f '.repeat(2)])(
    'replaces %s',
    async (given) => {
      const { body } = await service.request('/api/vendors/platform-vendors', { headers: { 'x-request-id': given } });
      expect(body.meta.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
      expect(body.meta.requestId).not.toBe(given);
    },
  );
});
