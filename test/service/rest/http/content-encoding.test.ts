import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aService } from '../../../support/service/service.js';

const service = aService();

const DECODE: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

const REQUEST_ID = '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f';
const VENDORS = '/api/vendors/platform-vendors';
const KEPT = [
  VENDORS,
  `${VENDORS}?search=a&limit=5`,
  `${VENDORS}/github`,
  '/api/vendors/platform-vendor-groupings/github',
];
const STATIC = [
  '/api/openapi.json',
  '/graphql/schema.graphql',
  '/api/docs/swagger-ui-bundle.js',
  '/graphql/react.production.min.js',
];

interface RawReply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** `fetch` would add headers and decode the body. */
async function send(path: string, headers: Record<string, string>, body?: object, method?: string): Promise<RawReply> {
  const outgoing = request(service.url + path, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { 'x-request-id': REQUEST_ID, ...(body && { 'content-type': 'application/json' }), ...headers },
  });
  outgoing.end(body && JSON.stringify(body));
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  const bytes = await buffer(reply);
  const { statusCode: status, headers: got } = reply;
  const decode = bytes.length > 0 && DECODE[got['content-encoding'] ?? ''];
  return {
    ...{ status, headers: got, bytes },
    get text() {
      return (decode ? decode(bytes) : bytes).toString();
    },
  };
}

async function asOwner(coding: string): Promise<Record<string, string>> {
  return { 'accept-encoding': coding, authorization: `Bearer ${await service.tokenOf('owner')}`, 'x-tenant': 'demo' };
}

async function compressionsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'ZLIB') count += 1;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return count;
}

describe.each(['br', 'gzip'])('a cached response with %s', (coding) => {
  it.each([...KEPT, ...STATIC])('of %s has the same content as without a coding', async (path) => {
    const plain = await send(path, {});
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    for (const _ of ['new', 'kept']) {
      const coded = await send(path, { 'accept-encoding': coding });
      expect([coded.status, coded.headers['content-encoding']]).toEqual([200, coding]);
      expect(coded.text === plain.text).toBe(true);
      expect(Number(coded.headers['content-length'])).toBe(coded.bytes.length);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length * 0.6);
      expect(coded.headers.vary).toMatch(/\bAccept-Encoding\b/i);
    }
    const head = await send(path, { 'accept-encoding': coding }, undefined, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-encoding']]).toEqual([200, 0, coding]);
  });

  it('contains the id of its own request', async () => {
    const ids = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
    for (const id of ids) {
      const { text } = await send(VENDORS, { 'accept-encoding': coding, 'x-request-id': id });
      expect(JSON.parse(text).meta.requestId).toBe(id);
    }
  });

  it.each([VENDORS, ...STATIC])('of %s is compressed only once', async (path) => {
    const again = () => send(path, { 'accept-encoding': coding });
    await again();
    expect(await compressionsOf(() => Promise.all(Array.from({ length: 5 }, again)))).toBe(0);
  });

  it.each(KEPT)('of %s has the same ETag, marked as weak, and returns 304 for it', async (path) => {
    const strong = (await send(path, {})).headers.etag as string;
    const { etag } = (await send(path, { 'accept-encoding': coding })).headers;
    expect([strong, etag]).toEqual([expect.stringMatching(/^"[\w-]+"$/), `W/${strong}`]);
    for (const named of [strong, `W/${strong}`])
      for (const accepted of [coding, 'identity']) {
        const same = await send(path, { 'accept-encoding': accepted, 'if-none-match': named });
        expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, named]);
      }
  });
});

it.each(STATIC)('%s has a strong ETag for each coding, and returns 304 for it', async (path) => {
  const etags = new Set<string>();
  for (const coding of ['identity', 'br', 'gzip']) {
    const { headers } = await send(path, { 'accept-encoding': coding });
    const etag = headers.etag as string;
    expect([etag, headers['cache-control']]).toEqual([expect.stringMatching(/^"[\w-]+"$/), 'public, no-cache']);
    for (const method of ['GET', 'HEAD']) {
      const same = await send(path, { 'accept-encoding': coding, 'if-none-match': etag }, undefined, method);
      expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, etag]);
    }
    const other = await send(path, { 'accept-encoding': coding, 'if-none-match': '"other"' });
    expect([other.status, other.headers.etag]).toEqual([200, etag]);
    etags.add(etag);
  }
  expect(etags.size).toBe(3);
});

describe('a response', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0', undefined],
    ['*;q=0', undefined],
    ['deflate, zstd', undefined],
    [';;q=, ,', undefined],
    ['', undefined],
  ])('to Accept-Encoding %j has the coding %s', async (accepted, coding) => {
    const headers = { ...(await asOwner(accepted)) };
    for (const path of [VENDORS, '/api/openapi.json', '/api/connectors']) {
      const { status, headers: got, text } = await send(path, headers);
      expect([path, status, got['content-encoding'], typeof JSON.parse(text)]).toEqual([path, 200, coding, 'object']);
    }
  });

  it.each(['br', 'gzip'])('for a single caller is compressed with %s, over REST and GraphQL', async (coding) => {
    const query = '{ connectors(limit: 20) { items { id name description } } }';
    for (const body of [undefined, { query }]) {
      const path = body ? '/graphql' : '/api/connectors';
      const [coded, plain] = [
        await send(path, await asOwner(coding), body),
        await send(path, await asOwner('identity'), body),
      ];
      expect([coded.status, coded.headers['content-encoding'], coded.text]).toEqual([200, coding, plain.text]);
    }
  });

  it('below 1 KiB is not compressed', async () => {
    for (const path of ['/healthz', '/api/nowhere', `${VENDORS}?search=none`, '/api/users/invitations']) {
      const { headers } = await send(path, await asOwner('br'));
      expect([path, headers['content-encoding']]).toEqual([path, undefined]);
      expect(headers.vary).toMatch(/\bAccept-Encoding\b/i);
    }
  });

  it('with a secret and input of the caller is compressed neither by the service nor by a proxy', async () => {
    const make =
      'createApiKey(input: { name: "sync", permissions: ["catalog:read"] }) { key apiKey { id name permissions createdAt ending } }';
    const query = `mutation { ${Array.from({ length: 10 }, (_, nth) => `a${nth}: ${make}`).join(' ')} }`;
    const { headers, text } = await send('/graphql', await asOwner('br, gzip'), { query });
    expect(JSON.parse(text).data.a9.key).toMatch(/^wak_/);
    expect([text.length > 1_024, headers['content-encoding']]).toEqual([true, undefined]);
    expect(headers['cache-control']).toBe('no-store, no-transform');
  });
});
