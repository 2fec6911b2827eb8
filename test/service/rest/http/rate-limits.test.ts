import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../../src/tenancy/api-keys/api-key-format.js';
import { captureStatements } from '../../../support/database/captured-statements.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { anApiKeyClient, clientFor, roleIdOf } from '../../../support/service/callers.js';
import { RawClient } from '../../../support/service/raw-client.js';
import { aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { atScale } from '../../../support/soak.js';

const ME = '/api/users/me';
const VENDORS = '/api/vendors/platform-vendors?limit=1';
const QUERY = '{ platformVendors(limit: 1) { total } }';

function figures({ headers }: Reply): (string | null)[] {
  return ['ratelimit-limit', 'ratelimit-remaining'].map((name) => headers.get(name));
}

function expectRefused(reply: Reply, limit: number): void {
  const wait = reply.headers.get('retry-after');
  expect([reply.status, reply.headers.get('x-error-code')]).toEqual([429, 'TOO_MANY_REQUESTS']);
  expect(reply.body).toEqual({
    error: `TOO_MANY_REQUESTS: The limit is ${limit} requests per minute. Try again in ${wait} s.`,
  });
  expect([figures(reply), reply.headers.get('ratelimit-reset')]).toEqual([[String(limit), '0'], wait]);
  expect(Number(wait)).toBeGreaterThan(0);
  expect(Number(wait)).toBeLessThanOrEqual(60);
}

async function statusesOf(times: number, send: () => Promise<Reply>): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await send()).status);
  return statuses;
}

describe('RATE_LIMITS=caller=5,public=3', () => {
  const service = aService({ RATE_LIMITS: 'caller=5,public=3' });

  beforeAll(() => createTestWorkspace(service, 'other'));

  describe('a caller', () => {
    it('gets the number of remaining requests, and 429 after the fifth request', async () => {
      const viewer = service.as('viewer');
      for (let left = 4; left >= 0; left--) {
        const reply = await viewer.request(ME);
        expect([reply.status, ...figures(reply)]).toEqual([200, '5', String(left)]);
        expect(Number(reply.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
        expect(reply.headers.get('retry-after')).toBeNull();
      }
      for (let time = 0; time < 3; time++) expectRefused(await viewer.request(ME), 5);
    });

    it('has one limit for REST and GraphQL, regardless of the responses', async () => {
      const editor = service.as('editor');
      expect((await editor.graphql('{ me { id } }')).headers.get('ratelimit-remaining')).toBe('4');
      expect((await editor.request('/api/connectors/nothing_00000000')).status).toBe(404);
      expect((await editor.request('/api/users/invitations')).status).toBe(403);
      expect((await editor.post('/api/connector-requests/connector-requests', [])).status).toBe(400);
      expect((await editor.graphql('{ nothing }')).headers.get('ratelimit-remaining')).toBe('0');
      expectRefused(await editor.graphql('{ me { id } }'), 5);
      expectRefused(await editor.request(ME), 5);
      expect((await editor.request('/healthz')).status).toBe(200);
    });

    it('succeeds with exactly five of 20 concurrent requests', async () => {
      const operator = service.as('operator');
      const replies = await Promise.all(Array.from({ length: 20 }, () => operator.request(ME)));
      expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    });

    it('at the limit affects neither other callers nor the same person in another workspace', async () => {
      const admin = service.as('admin');
      const boss = service.as('owner', { slug: 'other' });
      const program = await anApiKeyClient(service, ['connectors:read']);
      const invitation = { email: 'admin@demo.test', roleIds: [await roleIdOf(boss, 'viewer')] };
      expect((await boss.post('/api/users/invitations', invitation)).status).toBe(200);
      expect(await statusesOf(6, () => admin.request(ME))).toEqual([200, 200, 200, 200, 200, 429]);

      const there = await clientFor(service, 'admin@demo.test', 'other').request(ME);
      expect([there.status, ...figures(there)]).toEqual([200, '5', '4']);
      expect((await service.as('admin', { slug: 'other' }).request(ME)).headers.get('ratelimit-remaining')).toBe('4');
      expect((await service.as('owner').request(ME)).status).toBe(200);
      expect(figures(await program.request('/api/connectors?limit=1'))).toEqual(['5', '4']);
      expectRefused(await admin.request(ME), 5);
    });
  });

  it('rejects a caller at the limit before looking up the token', async () => {
    const program = await anApiKeyClient(service, ['connectors:read']);
    const list = (): Promise<Reply> => program.request('/api/connectors?limit=1');
    expect(await statusesOf(5, list)).toEqual([200, 200, 200, 200, 200]);
    const refused: Reply[] = [];
    expect(await captureStatements(async () => refused.push(await list(), await list()))).toEqual([]);
    for (const reply of refused) expectRefused(reply, 5);
  });

  describe('an unauthenticated client', () => {
    const forged = { 'x-forwarded-for': '203.0.113.7' };
    const bad = { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.', 'x-tenant': 'demo' };
    const key = { authorization: 'Bearer wak_made-up' };

    it('is limited by IP address over all endpoints', async () => {
      const vendors = await service.request(VENDORS);
      expect([vendors.status, ...figures(vendors)]).toEqual([200, '3', '2']);
      const wrong = await service.request(ME, { headers: bad });
      expect([wrong.status, ...figures(wrong)]).toEqual([401, '3', '1']);
      const reply = await service.graphql(QUERY);
      expect([reply.body.data.platformVendors.total, ...figures(reply)]).toEqual([expect.any(Number), '3', '0']);
    });

    it('gets 429 after the third request, for every kind of request', async () => {
      const ways: [string, () => Promise<Reply>][] = [
        ['a public endpoint', () => service.request(VENDORS)],
        ['a cached response', () => service.request(VENDORS, { headers: { 'if-none-match': '*' } })],
        ['a GraphQL query', () => service.graphql(QUERY)],
        ['no token', () => service.request(ME)],
        ['a bad token', () => service.request(ME, { headers: bad })],
        ['a bad token with a GraphQL query', () => service.request('/graphql?query={__typename}', { headers: bad })],
        ['a made-up key', () => service.request(ME, { headers: key })],
        ['an invalid workspace slug', () => service.request(ME, { headers: { ...bad, 'x-tenant': 'De mo' } })],
        ['a workspace without membership', () => service.as('owner', { named: 'other' }).request(ME)],
        ['a forged X-Forwarded-For', () => service.request(VENDORS, { headers: forged })],
      ];
      for (const [, way] of ways) expectRefused(await way(), 3);
    });

    it('causes no database work above the limit', async () => {
      const { tenantId } = (await service.as('operator', { slug: 'other' }).graphql('{ me { tenantId } }')).body.data
        .me;
      const madeUp = (): Promise<Reply> =>
        service.request(ME, { headers: { authorization: `Bearer ${generateApiKey(tenantId)}` } });
      const stranger = service.as('viewer', { slug: 'other', named: 'demo' });
      expectRefused(await stranger.request(ME), 3);
      const statements = await captureStatements(async () => {
        for (const reply of [await madeUp(), await madeUp(), await stranger.request(ME)]) expectRefused(reply, 3);
      });
      expect(statements).toEqual([]);
    });

    it('does not use the limit of authenticated callers at the same address', async () => {
      expect((await service.request(VENDORS)).status).toBe(429);
      expect((await service.as('viewer', { slug: 'other' }).request(ME)).status).toBe(200);
    });
  });
});

describe.each([
  [1, (last: string) => last],
  [2, (last: string) => `${last}, 10.0.0.1`],
])('PROXY_HOPS=%d', (hops, through) => {
  const service = aService({ RATE_LIMITS: 'caller=5,public=3', PROXY_HOPS: String(hops) });

  function from(addresses: string): Promise<Reply> {
    return service.request(VENDORS, { headers: { 'x-forwarded-for': through(addresses) } });
  }

  it('uses the address of the client of the outermost trusted proxy', async () => {
    expect(await statusesOf(4, () => from('203.0.113.1'))).toEqual([200, 200, 200, 429]);
    expect(figures(await from('203.0.113.2'))).toEqual(['3', '2']);
  });

  it('ignores forwarded addresses sent by the client', async () => {
    let nth = 0;
    const forge = (): Promise<Reply> => from(`198.51.100.${++nth}, 203.0.113.3`);
    expect(await statusesOf(4, forge)).toEqual([200, 200, 200, 429]);
    expectRefused(await from('203.0.113.3'), 3);
    expectRefused(await from(' , 203.0.113.4,203.0.113.3 '), 3);
    expect(figures(await from('203.0.113.3, 203.0.113.5'))).toEqual(['3', '2']);
  });

  it('limits invalid tokens by that address too', async () => {
    const headers = { authorization: 'Bearer bad', 'x-tenant': 'demo', 'x-forwarded-for': through('203.0.113.6') };
    expect(await statusesOf(4, () => service.request(ME, { headers }))).toEqual([401, 401, 401, 429]);
    expectRefused(await from('203.0.113.6'), 3);
  });
});

/** Sends the headers of an unauthenticated query, but not its body. */
function aSlowRequest(url: string, head: Record<string, string>, localAddress?: string): RawClient {
  const json = { 'content-type': 'application/json', 'content-length': 100, ...head };
  return new RawClient(`${url}/graphql`, json, localAddress);
}

describe('slow bodies without a token', () => {
  const service = aService({ RATE_LIMITS: 'public=1000', PROXY_HOPS: '1' });
  const sendFrom = (address: string): Promise<Reply> =>
    service.post('/graphql', { query: QUERY }, { 'x-forwarded-for': address });

  it('are limited to 20 concurrent bodies per address, and unlimited with a token', async () => {
    const [here, elsewhere] = ['203.0.113.8', '203.0.113.9'];
    const token = await service.tokenOf('viewer');
    const known = { authorization: `Bearer ${token}`, 'x-tenant': 'demo' };
    const slow = Array.from({ length: 20 }, () => aSlowRequest(service.url, { 'x-forwarded-for': here }));
    await waitUntil(async () => (await sendFrom(here)).status === 429);
    const refused = await sendFrom(here);
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      ...[429, '10'],
      {
        error:
          'TOO_MANY_REQUESTS: At most 20 unauthenticated request bodies may arrive concurrently from one address. Try again in 10 s.',
      },
    ]);
    expect(slow.map(({ status }) => status)).toEqual(Array(20).fill(undefined));
    expect((await sendFrom(elsewhere)).status).toBe(200);
    expect((await service.post('/graphql', { query: QUERY }, { 'x-forwarded-for': here, ...known })).status).toBe(200);

    slow.pop()?.socket.destroy();
    await waitUntil(async () => (await sendFrom(here)).status === 200);
    for (const { socket } of slow) socket.destroy();
  });
});

describe('RATE_LIMITS', () => {
  const limited = aService({ RATE_LIMITS: 'on' });
  const callersOnly = aService({ RATE_LIMITS: 'caller=2' });
  const unlimited = aService({ RATE_LIMITS: 'off' });
  const owner = (service: { as: (role: 'owner') => Client }): Promise<Reply> => service.as('owner').request(ME);

  it('defaults to 600 requests per minute', async () => {
    expect(figures(await owner(limited))).toEqual(['600', '599']);
    expect(figures(await limited.request(VENDORS))).toEqual(['600', '599']);
  });

  it('keeps the service available while many addresses send slow bodies', async () => {
    const addresses = atScale<(string | undefined)[]>(
      [undefined],
      Array.from({ length: 50 }, (_, nth) => `127.0.1.${1 + nth}`),
    );
    const slow: RawClient[] = [];
    for (const address of addresses) {
      const clients = Array.from({ length: 200 }, () => aSlowRequest(limited.url, {}, address));
      slow.push(...clients);
      const waiting = (): RawClient[] => clients.filter(({ socket, status }) => !status && !socket.destroyed);
      await waitUntil(() => waiting().length === 20);
      expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([undefined, 429]));
    }
    await waitUntil(async () => (await limited.request(VENDORS)).status === 200);
    for (const { socket } of slow) socket.destroy();
  });

  it('keeps the default of limits that it does not name', async () => {
    expect(figures(await owner(callersOnly))).toEqual(['2', '1']);
    expect(figures(await callersOnly.request(VENDORS))).toEqual(['600', '599']);
  });

  it('disables the limits with off', async () => {
    for (const reply of [await owner(unlimited), await unlimited.request(VENDORS), await unlimited.graphql(QUERY)]) {
      expect(reply.status).toBe(200);
      expect([...reply.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
  });

  it('coalesces the database queries of concurrent readiness checks', async () => {
    const replies: Reply[] = [];
    const statements = await captureStatements(async () => {
      const pending = Array.from({ length: 100 }, () => unlimited.request('/readyz'));
      replies.push(...(await Promise.all(pending)));
    });
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(statements.filter((text) => /select 1/i.test(text)).length).toBeLessThan(replies.length);
  });
});
