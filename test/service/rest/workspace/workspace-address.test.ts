import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { captureStatements } from '../../../support/database/captured-statements.js';
import { aService, type TestService } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const ME = '/api/users/me';
const CATALOG = '/api/vendors/platform-vendors/github';

/** Sends a GET request with these raw header lines. Returns the status and the error code. */
async function write(service: TestService, lines: readonly string[], target = ME, slug = 'demo'): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const bearer = `Authorization: Bearer ${await service.tokenOf('owner', slug)}`;
  const socket = connect(Number(port), hostname);
  socket.write([`GET ${target} HTTP/1.1`, bearer, ...lines, 'Connection: close', '', ''].join('\r\n'), 'latin1');
  const reply = await text(socket);
  const [, status] = /^HTTP\/1.1 (\d+) /.exec(reply) ?? [];
  const [, code] = /\r\nx-error-code: (\w+)/i.exec(reply) ?? [];
  return code ? `${status} ${code}` : `${status}`;
}

const REFUSED = '400 BAD_REQUEST';
const NAMELESS = '400 WORKSPACE_REQUIRED';
const NOT_THERE = '403 WORKSPACE_FORBIDDEN';

const HOSTS: Record<string, readonly string[]> = {
  [REFUSED]: [
    ...['Demo.localhost', 'DEMO.LOCALHOST', 'demo.Localhost', 'dEmO.lOcAlHoSt'],
    ...[
      'demo.localhost.',
      'demo.localhost..',
      'demo.localhost.:80',
      'demo..localhost',
      '.demo.localhost',
      '.localhost',
    ],
    ...['a.demo.localhost', 'demo.demo.localhost', 'localhost.localhost.localhost', 'demo.acme.localhost'],
    ...['demo%2elocalhost', 'demo%2Elocalhost', 'demo.localhost%2e', '%64emo.localhost', 'a%2edemo.localhost'],
    ...['de_mo.localhost', '_demo.localhost', '-demo.localhost', 'demo-.localhost', '*.localhost', '--.localhost'],
    ...[
      'user@demo.localhost',
      'user:password@demo.localhost',
      'acme.localhost@demo.localhost',
      'http://demo.localhost',
    ],
    ...['demo .localhost', 'demo\t.localhost', 'demo.localhost acme.localhost', 'demo.localhost,acme.localhost'],
    ...[
      'demo.localhost&acme.localhost',
      'd\u00e9mo.localhost',
      'demo\u00ad.localhost',
      'demo\u00a0.localhost',
      `${'a'.repeat(64)}.localhost`,
    ],
    ...['de\0mo.localhost', 'demo.localhost\0', 'demo.localhost\v', '\r\n demo.localhost', 'demo.\r\n localhost', ''],
    ...['acme.localhost:80@demo.localhost', 'demo\\.localhost', 'demo/.localhost', "demo'--.localhost"],
  ],
  [NAMELESS]: [
    ...['demo.localhost.evil.com', 'demo.localhost.acme', 'demo.localhostx', 'demo-localhost', 'demolocalhost'],
    ...['localhost', 'localhost:80', 'demo', 'demo.', 'localhost.demo', 'demo.127.0.0.1', '127.0.0.1', 'example.com'],
    ...['demo.localhost:x', 'demo.localhost:80x', 'demo.localhost:80:80', 'demo.localhost:-1', 'demo.localhost:%38'],
    ...['demo.localhost:', 'demo.localhost:123456', 'demo.localhost: 80', 'demo.localhost:8 0', 'demo.localhost:80,'],
    ...['[::1]', '[::1]:80', '[demo.localhost]', '[::1%demo.localhost]', 'demo.[::1]', '"demo.localhost"'],
    ...[
      'demo.localhost/',
      'demo.localhost?',
      'demo.localhost#',
      'demo.localhost\\',
      'demo.localhost;',
      'demo.localhost%00',
    ],
    ...['demo.localhost@evil.com', 'demo.localhost%20'],
  ],
  [NOT_THERE]: [
    ...['evil-demo.localhost', 'demo-evil.localhost', 'dem0.localhost', 'demo1.localhost', 'xn--dmo-bma.localhost'],
    ...['acme.localhost', 'acme.localhost:80', `${'a'.repeat(63)}.localhost`, '1.localhost', 'd.localhost'],
  ],
};

const TENANTS: Record<string, readonly string[]> = {
  [REFUSED]: [
    ...['', ' ', 'Demo', 'DEMO', 'demO', 'demo.', '.demo', 'a.demo', 'demo.localhost', 'demo:80', 'demo/', '../demo'],
    ...['de mo', 'demo acme', 'de\tmo', 'demo,acme', 'demo, demo', 'demo;acme', '"demo"', 'demo=1', '*', 'demo\\'],
    ...['%64emo', 'demo%20', 'demo%00', 'demo%2e', '-demo', 'demo-', 'de_mo', 'd\u00e9mo', 'demo\u00a0', '\u00addemo'],
    ...['demo\0', '\0demo', 'demo\v', 'demo\x7f', '\r\n demo', 'demo\r\n acme', 'a'.repeat(64), "demo' or '1'='1"],
  ],
  [NOT_THERE]: ['acme', 'dem0', 'demo1', 'xn--dmo-bma', 'null', 'undefined', 'constructor', 'a'.repeat(63)],
};

const rows = (table: Record<string, readonly string[]>): [string, string][] =>
  Object.entries(table).flatMap(([reply, names]) => names.map((name): [string, string] => [name, reply]));

describe('the workspace of a request', () => {
  const service = aService();
  beforeAll(() => createTestWorkspace(service, 'acme'));

  it.each([
    ['X-Tenant', ['Host: a', 'X-Tenant: demo']],
    ['X-Tenant with surrounding spaces, which HTTP ignores', ['Host: a', 'X-Tenant:  demo\t ']],
    ['X-Tenant in another case', ['Host: a', 'x-tEnAnT: demo']],
    ['Host', ['Host: demo.localhost']],
    ['Host with a port', ['Host: demo.localhost:4000']],
    ['X-Tenant over the Host of another workspace', ['Host: acme.localhost', 'X-Tenant: demo']],
    ['X-Tenant over an invalid Host', ['Host: DEMO.localhost.', 'X-Tenant: demo']],
  ])('is taken from %s', async (_, lines) => {
    expect(await write(service, lines)).toBe('200');
    expect(await write(service, lines, ME, 'acme')).toBe(NOT_THERE);
  });

  it("is the workspace in X-Tenant, even if Host names the caller's own workspace", async () => {
    expect(await write(service, ['Host: demo.localhost', 'X-Tenant: acme'])).toBe(NOT_THERE);
    expect(await write(service, ['Host: demo.localhost', 'X-Tenant: acme'], ME, 'acme')).toBe('200');
  });

  it('is checked with more than 100 names', () => {
    expect(rows(HOSTS).length + rows(TENANTS).length).toBeGreaterThan(100);
  });

  it.each(rows(HOSTS))('is not taken from the Host %j: %s', async (name, reply) => {
    expect(await write(service, [`Host: ${name}`])).toBe(reply);
    expect(await write(service, ['Host: demo.localhost'])).toBe('200');
  });

  it.each(rows(TENANTS))('is not taken from the X-Tenant %j: %s', async (name, reply) => {
    expect(await write(service, ['Host: a', `X-Tenant: ${name}`])).toBe(reply);
    expect(await write(service, ['Host: demo.localhost', `X-Tenant: ${name}`])).toBe(reply);
    expect(await write(service, ['Host: a', 'X-Tenant: demo'])).toBe('200');
  });

  it.each<[string, string[], string]>([
    ['two equal headers', ['Host: a', 'X-Tenant: demo', 'X-Tenant: demo'], REFUSED],
    ['two headers', ['Host: a', 'X-Tenant: acme', 'X-Tenant: demo'], REFUSED],
    ['two headers in different case', ['Host: a', 'X-Tenant: demo', 'x-tenant: acme'], REFUSED],
    ['a header and an empty one', ['Host: a', 'X-Tenant:', 'X-Tenant: demo'], REFUSED],
    ['two hosts', ['Host: demo.localhost', 'Host: acme.localhost'], REFUSED],
    ['two equal hosts', ['Host: demo.localhost', 'Host: demo.localhost'], REFUSED],
    ['two hosts and the header', ['Host: demo.localhost', 'Host: acme.localhost', 'X-Tenant: demo'], REFUSED],
    ['no host', [], REFUSED],
    ['a space before the colon', ['Host: a', 'X-Tenant : demo'], REFUSED],
    ['a space before the name', ['Host: a', ' X-Tenant: demo'], REFUSED],
    ['an underscore', ['Host: a', 'X_Tenant: demo'], NAMELESS],
    ['X-Forwarded-Host', ['Host: a', 'X-Forwarded-Host: demo.localhost'], NAMELESS],
    ['X-Forwarded-Host over Host', ['Host: acme.localhost', 'X-Forwarded-Host: demo.localhost'], NOT_THERE],
    ['Forwarded', ['Host: a', 'Forwarded: host=demo.localhost'], NAMELESS],
    ['Forwarded over Host', ['Host: acme.localhost', 'Forwarded: for=1.2.3.4;host=demo.localhost'], NOT_THERE],
    ['X-Original-Host', ['Host: a', 'X-Original-Host: demo.localhost', 'X-Host: demo.localhost'], NAMELESS],
    ['a cookie', ['Host: a', 'Cookie: tenant=demo; x-tenant=demo'], NAMELESS],
  ])('is not taken from %s', async (_, lines, reply) => {
    expect(await write(service, lines)).toBe(reply);
    expect(await write(service, ['Host: demo.localhost'])).toBe('200');
  });

  it.each<[string, string[], string, string]>([
    ['the query of the URL', ['Host: a'], NAMELESS, `${ME}?x-tenant=demo`],
    ['the host of the URL', ['Host: a'], REFUSED, `http://demo.localhost${ME}`],
    ['the host of the URL over Host', ['Host: acme.localhost'], REFUSED, `http://demo.localhost${ME}`],
    ['Host over the host of the URL', ['Host: demo.localhost'], REFUSED, `http://acme.localhost${ME}`],
    ['Host over a port of the URL', ['Host: demo.localhost'], REFUSED, `http://demo.localhost:80${ME}`],
    ['Host over a user in the URL', ['Host: demo.localhost'], REFUSED, `http://acme.localhost@demo.localhost${ME}`],
    ['Host over a URL without a host', ['Host: demo.localhost'], REFUSED, `http://${ME}`],
    ['Host over a URL in upper case', ['Host: demo.localhost'], REFUSED, `HTTP://ACME.LOCALHOST${ME}`],
    ['a path that looks like a host', ['Host: a'], '404 NOT_FOUND', `//demo.localhost${ME}`],
  ])('is not taken from %s', async (_, lines, reply, target) => {
    expect(await write(service, lines, target)).toBe(reply);
    expect(await write(service, ['Host: demo.localhost'], `http://demo.localhost${ME}`)).toBe('200');
  });

  it('is not taken from a trailer', async () => {
    const headers = { authorization: `Bearer ${await service.tokenOf('owner')}`, trailer: 'X-Tenant' };
    const send = (own: object): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const all = { ...headers, ...own, 'transfer-encoding': 'chunked' };
        const sent = request(service.url + ME, { headers: all }, (reply) => resolve(reply.resume().statusCode));
        sent.on('error', reject).write('x');
        sent.addTrailers({ 'X-Tenant': 'demo' });
        sent.end();
      });
    expect([await send({}), await send({ 'x-tenant': 'demo' })]).toEqual([400, 200]);
  });

  it('is not revealed: the responses for a missing and for a foreign workspace are equal, byte for byte', async () => {
    const { request: send } = service.as('owner');
    const replies = ['acme', 'nowhere'].map(async (slug) => {
      const headers = { 'x-tenant': slug, 'x-request-id': '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f' };
      const reply = await send(ME, { headers });
      return [reply.status, reply.text, [...reply.headers].filter(([name]) => name !== 'date')];
    });
    const [others, nowhere] = await Promise.all(replies);
    expect(others).toEqual(nowhere);
    expect(others?.[0]).toBe(403);
    expect((await send(ME)).status).toBe(200);
  });

  it.each([
    ['200', 200, { 'x-tenant': 'demo' }],
    ['400', 400, { 'x-tenant': 'DEMO' }],
    ['401', 401, { 'x-tenant': 'demo', authorization: 'Bearer none' }],
    ['403', 403, { 'x-tenant': 'acme' }],
  ])('is listed in Vary, and responses are not cached: %s', async (_, status, headers) => {
    const anonymous = 'authorization' in headers;
    const client = anonymous ? service : service.as('owner');
    const asGraphql = {
      method: 'POST',
      body: '{"query":"{ me { id } }"}',
      headers: { ...headers, 'content-type': 'application/json' },
    };
    const replies = [await client.request(ME, { headers }), await client.request('/graphql', asGraphql)];
    expect(replies[0]?.status).toBe(status);
    for (const reply of replies) {
      const varied = reply.headers.get('vary')?.toLowerCase().split(', ');
      if (status !== 400) expect(varied).toEqual(expect.arrayContaining(['authorization', 'x-tenant', 'host']));
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('an existing workspace', () => {
  const service = aService();

  it('is looked up as often as a missing workspace, so that response times do not reveal it', async () => {
    const clock = vi.spyOn(performance, 'now');
    const startedAt = performance.now() + 10_000; // At this time, the cache entries of other tests have expired.
    const headers = { authorization: `Bearer ${await service.tokenOf('owner')}` };
    const lookups = async (slug: string, seconds: number): Promise<number> => {
      clock.mockReturnValue(startedAt + seconds * 1_000);
      const send = () => service.request(ME, { headers: { ...headers, 'x-tenant': slug } });
      return (await captureStatements(send)).filter((text) => text.includes('from "workspace"')).length;
    };
    const seen: number[][] = [];
    for (const seconds of [0, 1, 3, 4, 60, 61])
      seen.push([await lookups('demo', seconds), await lookups('nowhere', seconds)]);
    clock.mockRestore();
    expect(seen).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 0],
    ]);
  });
});

describe('WORKSPACE_BASE_DOMAIN', () => {
  const service = aService({ WORKSPACE_BASE_DOMAIN: 'taproot.example.com' });

  it.each([
    ['demo.taproot.example.com', '200'],
    ['demo.taproot.example.com:443', '200'],
    ['acme.taproot.example.com', NOT_THERE],
    ['Demo.taproot.example.com', REFUSED],
    ['demo.taproot.example.com.', REFUSED],
    ['a.demo.taproot.example.com', REFUSED],
    ['demo.taproot%2eexample.com', REFUSED],
    ['taproot.example.com', NAMELESS],
    ['demo-taproot.example.com', NAMELESS],
    ['demo.taproot.example.com.evil.com', NAMELESS],
    ['demo.taprootxexample.com', NAMELESS],
    ['demo.example.com', NAMELESS],
    ['demo.localhost', NAMELESS],
  ])('is the parent domain of workspaces: %s returns %s', async (host, reply) => {
    expect(await write(service, [`Host: ${host}`])).toBe(reply);
  });
});

describe('the public catalog', () => {
  const service = aService();

  it('is the same for all clients and publicly cacheable, with any credentials', async () => {
    const own = { authorization: `Bearer ${await service.tokenOf('owner')}` };
    const requestId = { 'x-request-id': '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f' };
    const replies = [
      ...[{}, own, { ...own, 'x-tenant': 'demo' }, { ...own, 'x-tenant': 'nowhere' }, { 'x-tenant': 'DEMO' }],
      ...[
        { 'x-tenant': '' },
        { authorization: 'Bearer none' },
        { authorization: 'Bearer wak_none' },
        { cookie: 'a=b' },
      ],
    ].map(async (headers) => {
      const reply = await service.request(CATALOG, { headers: { ...headers, ...requestId } as Record<string, string> });
      return [reply.status, reply.text, [...reply.headers].filter(([name]) => name !== 'date')];
    });
    const [first, ...others] = await Promise.all(replies);
    expect(first?.[0]).toBe(200);
    expect(new Headers(first?.[2] as [string, string][]).get('cache-control')).toBe('public, no-cache');
    expect(others).toEqual(Array(8).fill(first));
  });
});
