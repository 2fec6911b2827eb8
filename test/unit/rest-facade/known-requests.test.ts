import type { Context } from 'koa';
import { beforeEach, expect, it, vi } from 'vitest';
import { KnownRequests } from '../../../rest-facade/known-requests.js';
import { cacheKeysOf } from '../../../rest-facade/read-cached.js';
import { RepresentationCache } from '../../../rest-facade/representation-cache.js';

const PATH = '/api/vendors/:slug';
const KEYS = cacheKeysOf('vendor', { slug: 'a' });
const next = vi.fn();
const writeHead = vi.fn();
const admit = vi.fn();
let cache: RepresentationCache;
let known: KnownRequests;

beforeEach(async () => {
  admit.mockReturnValue([]);
  cache = new RepresentationCache(async () => 'one');
  known = new KnownRequests(admit, cache);
  await cache.get(KEYS.identity, async () => ({ before: Buffer.from('{"a":"'), after: Buffer.from('"}') }));
});

function contextOf(url: string, method = 'GET'): Context & { _matchedRoute?: string } {
  const res = { writeHead: writeHead.mockReturnThis(), write: vi.fn(), end: vi.fn() };
  return { ...{ method, url }, req: { method, url, headers: {} }, res, state: { requestId: 'b' } } as never;
}

function add(url: string): void {
  known.add({ ...contextOf(url), _matchedRoute: PATH } as Context, KEYS);
}

async function isAnswered(url: string, method?: string): Promise<boolean> {
  writeHead.mockClear();
  next.mockClear();
  await known.answer(contextOf(url, method), next);
  expect(writeHead.mock.calls.length + next.mock.calls.length).toBe(1);
  return writeHead.mock.calls.length === 1;
}

it('answers a request with a known URL, and returns the path of its route as the label of the metrics', async () => {
  add('/api/vendors/a');
  const ctx = contextOf('/api/vendors/a');
  await known.answer(ctx, next);
  expect([ctx._matchedRoute, writeHead.mock.lastCall?.[0]]).toEqual([PATH, 200]);
});

it.each([
  ['another query', 'GET', '/api/vendors/a?limit=1'],
  ['another method', 'HEAD', '/api/vendors/a'],
])('passes on a request with %s', async (_, method, url) => {
  add('/api/vendors/a');
  expect(await isAnswered(url, method)).toBe(false);
});

it('passes on a request that the host does not admit', async () => {
  add('/api/vendors/a');
  for (const admitted of [undefined, Promise.resolve(undefined)]) {
    admit.mockReturnValue(admitted);
    expect(await isAnswered('/api/vendors/a')).toBe(false);
  }
});

it('passes on a request whose response is not cached, or not in the coding that the client prefers', async () => {
  add('/api/vendors/a');
  const large = { before: Buffer.alloc(2_000), after: Buffer.alloc(0) };
  cache = new RepresentationCache(async () => 'one');
  known = new KnownRequests(admit, cache);
  add('/api/vendors/a');
  expect(await isAnswered('/api/vendors/a')).toBe(false);
  await cache.get(KEYS.identity, async () => large);
  const ctx = contextOf('/api/vendors/a');
  ctx.req.headers['accept-encoding'] = 'br';
  await known.answer(ctx, next);
  expect(writeHead).not.toHaveBeenCalled();
  await cache.get(KEYS.br, async () => ({ ...large, coding: 'br' }));
  await known.answer(ctx, next);
  expect(writeHead.mock.lastCall?.[1]).toEqual(expect.arrayContaining(['Content-Encoding', 'br']));
});

it('passes on a request if the revision was not checked within the last second', async () => {
  add('/api/vendors/a');
  expect(await isAnswered('/api/vendors/a')).toBe(true);
  const later = performance.now() + 1_001;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  expect(await isAnswered('/api/vendors/a')).toBe(false);
  vi.restoreAllMocks();
});

it('knows at most 1,000 requests, and none with a long URL', async () => {
  const urls = Array.from({ length: 1_001 }, (_, at) => `/api/vendors/${at}`);
  const long = `/api/vendors/${'a'.repeat(300)}`;
  for (const url of [...urls, long]) add(url);
  expect(await isAnswered(urls[0] as string)).toBe(false);
  expect(await isAnswered(urls[1] as string)).toBe(true);
  expect(await isAnswered(long)).toBe(false);
});
