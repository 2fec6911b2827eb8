import type { Context } from 'koa';
import { expect, it, vi } from 'vitest';
import { KnownRequests } from '../../../rest-facade/known-requests.js';

const PATH = '/api/vendors/:slug';
const next = vi.fn();
const answer = vi.fn();

async function isAnswered(known: KnownRequests, ctx: object): Promise<boolean> {
  answer.mockClear();
  next.mockClear();
  await known.answer(ctx as Context, next);
  expect(answer.mock.calls.length + next.mock.calls.length).toBe(1);
  return answer.mock.calls.length === 1;
}

it('answers a request with a known URL under the path of its route, which metrics use as label', async () => {
  const known = new KnownRequests();
  known.add({ method: 'GET', url: '/api/vendors/a' } as Context, PATH, answer);
  const ctx = { method: 'GET', url: '/api/vendors/a' };
  expect(await isAnswered(known, ctx)).toBe(true);
  expect(ctx).toMatchObject({ _matchedRoute: PATH });
});

it.each([
  ['another query', 'GET', '/api/vendors/a?limit=1'],
  ['another method', 'HEAD', '/api/vendors/a'],
])('passes on a request with %s', async (_, method, url) => {
  const known = new KnownRequests();
  known.add({ method: 'GET', url: '/api/vendors/a' } as Context, PATH, answer);
  expect(await isAnswered(known, { method, url })).toBe(false);
});

it('knows at most 1,000 requests, and none with a long URL', async () => {
  const known = new KnownRequests();
  const urls = Array.from({ length: 1_001 }, (_, at) => `/api/vendors/${at}`);
  const long = `/api/vendors/${'a'.repeat(300)}`;
  for (const url of [...urls, long]) known.add({ method: 'GET', url } as Context, PATH, answer);
  expect(await isAnswered(known, { method: 'GET', url: urls[0] })).toBe(false);
  expect(await isAnswered(known, { method: 'GET', url: urls[1] })).toBe(true);
  expect(await isAnswered(known, { method: 'GET', url: long })).toBe(false);
});
