import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { TokenTimeout } from '../../../src/kernel/concurrency/take-token.js';
import { DatabaseUnavailable } from '../../../src/kernel/errors.js';
import { OutboundError } from '../../../src/kernel/outbound/outbound-error.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import type { PageRead } from '../../../src/syncs/reading/page-read.js';
import { ALL, first, StubbedVendor, TOKEN, threePages } from '../../support/syncs/stubbed-vendor.js';

const vendor = new StubbedVendor();

beforeAll(() => vendor.open());
afterAll(() => vendor.server.close());
beforeEach(() => vendor.reset());

describe('reading the pages of a tap', () => {
  it('reads an empty list as one page without records', async () => {
    vendor.respond = () => ({ items: [] });
    expect(await vendor.idsOf()).toEqual([]);
    expect(vendor.server.requests).toHaveLength(1);
  });

  it('follows the pages to the last page', async () => {
    vendor.respond = threePages;
    expect(await vendor.idsOf()).toEqual(ALL);
  });

  it('continues at the position of a page', async () => {
    vendor.respond = threePages;
    const reader = vendor.pagesOf();
    const { value } = (await reader.next()) as IteratorYieldResult<PageRead>;
    await reader.return(undefined);
    expect(await vendor.idsOf({ from: JSON.parse(JSON.stringify(value.next)) })).toEqual(ALL.slice(2));
  });

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('waits after 429 with %s, and pauses all processes', async (_, retryAfter) => {
    vendor.respond = first({ status: 429, headers: { 'retry-after': retryAfter() } });
    const startedAt = performance.now();
    expect(await vendor.idsOf()).toEqual(ALL);
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    expect(vendor.pauses).toHaveLength(1);
  });

  it('asks the caller to continue later if the vendor names a time more than 30 seconds away', async () => {
    vendor.respond = first({ status: 429, headers: { 'retry-after': '120' } });
    expect(await vendor.failureOf()).toMatchObject({ errorClass: 'rate_limited', action: 'wait', status: 429 });
    expect(vendor.server.requests).toHaveLength(1);
    expect(vendor.pauses[0]).toBeGreaterThanOrEqual(120_000);
  });

  it('repeats a request after a burst of server errors', async () => {
    vendor.respond = first({ status: 503 }, { status: 500 }, { status: 502 });
    expect(await vendor.idsOf()).toEqual(ALL);
    expect(vendor.traces.map(({ status, attempt }) => [status, attempt])).toEqual([
      ...[503, 500, 502, 200].map((status, nth) => [status, nth + 1]),
      [200, 1],
      [200, 1],
    ]);
  });

  it('fails when the retries of the definition are used up', async () => {
    vendor.respond = () => ({ status: 503 });
    expect(await vendor.failureOf({ retry: { maxRetries: 1 } })).toMatchObject({ errorClass: 'vendor_unavailable' });
    expect(vendor.server.requests).toHaveLength(2);
  });

  it('throws failures of the database unchanged, so that the step is retried', async () => {
    const failure = new DatabaseUnavailable(new Error('Connection terminated unexpectedly'));
    vendor.limitError = failure;
    expect(await vendor.failureOf()).toBe(failure);
  });

  it('waits for the rate limit of the service, which may apply to a single tap, without pausing other taps', async () => {
    vendor.limitError = new OutboundError('timeout', { cause: new TokenTimeout(120_000) });
    expect(await vendor.failureOf()).toMatchObject({ errorClass: 'rate_limited', action: 'wait' });
    expect([vendor.pauses, vendor.traces]).toEqual([[], []]); // The service sent no request.
  });

  it('fails with a contract error for a page that is not JSON', async () => {
    vendor.respond = () => ({ status: 200, body: '{"items": [{"id": 1}' });
    expect(await vendor.failureOf()).toMatchObject({ errorClass: 'contract' });
  });

  it('fails if the vendor returns the same page again', async () => {
    vendor.respond = () => ({ items: [{ id: 1 }], next: 'again' });
    expect(await vendor.failureOf()).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
    expect(vendor.server.requests.length).toBeLessThanOrEqual(2);
  });

  it.each([2, 3, 5])('fails if the vendor returns the same %i pages again and again', async (length) => {
    vendor.respond = ({ url }) => {
      const page = Number(url.searchParams.get('after') ?? 0) % length;
      return { items: [{ id: page }], next: page + 1 };
    };
    expect(await vendor.failureOf()).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
    expect(vendor.server.requests.length).toBeLessThanOrEqual(3 * length);
  });

  it('fails if each step reads one page, and the vendor ignores the position', async () => {
    const pagination = { type: 'offset' as const, offset: { offsetParam: 'offset' } };
    const option = { apiType: 'rest' as const, pagination, restConfig: { endpoint: '/items' } };
    vendor.respond = () => ({ items: [{ id: 1 }] });
    const step = async (from?: PageToken) => {
      const pages = vendor.pagesOf({ tap: { transportOptions: [option] }, ...(from && { from }) });
      const { next } = (await pages.next()).value as PageRead;
      return JSON.parse(JSON.stringify(next)) as PageToken;
    };
    await expect(step(await step())).rejects.toThrow('The source returned the same page twice.');
  });

  it.each([
    [401, 'credential', 'stop_run'],
    [403, 'permission', 'skip_tap'],
  ])('classifies %i as %s', async (status, errorClass, action) => {
    vendor.respond = () => ({ status, body: { message: 'no' } });
    expect(await vendor.failureOf()).toMatchObject({ errorClass, action });
  });

  it('stops with the reason of the signal while it waits', async () => {
    const stop = new AbortController();
    vendor.respond = () => {
      setTimeout(() => stop.abort(new Error('cancelled')), 50);
      return { status: 429, headers: { 'retry-after': '20' } };
    };
    await expect(vendor.idsOf({ signal: stop.signal })).rejects.toThrow('cancelled');
  });

  it('stops with the reason of the signal during a request', async () => {
    const stop = new AbortController();
    vendor.respond = () => {
      setTimeout(() => stop.abort(new Error('cancelled')), 50);
      return new Promise((resolve) => setTimeout(resolve, 20_000, { items: [] }).unref());
    };
    await expect(vendor.idsOf({ signal: stop.signal })).rejects.toThrow('cancelled');
  });

  it('stops with the reason of the signal while it waits for its own rate limit', async () => {
    const stop = new AbortController();
    vendor.limitWait = async (signal) => {
      setTimeout(() => stop.abort(new Error('cancelled')), 50);
      await sleep(20_000, undefined, { signal, ref: false }).catch(() => signal?.throwIfAborted());
    };
    await expect(vendor.idsOf({ signal: stop.signal })).rejects.toThrow('cancelled');
    expect(vendor.traces).toEqual([]);
  });

  it('reports each request without secrets', async () => {
    vendor.respond = ({ url }) =>
      url.searchParams.has('page')
        ? { items: [] }
        : { items: [{ id: 1 }], next: `${vendor.server.url}/items?page=2&key=${TOKEN}` };
    const pagination = { type: 'cursor', cursor: { cursorPath: 'next', cursorIsFullUrl: true } } as const;
    await vendor.idsOf({
      tap: { transportOptions: [{ apiType: 'rest', pagination, restConfig: { endpoint: '/items' } }] },
    });
    expect(vendor.server.last.url.searchParams.get('key')).toBe(TOKEN);
    expect(vendor.traces).toHaveLength(2);
    expect(vendor.traces[1]?.url).toContain('page=2&key=***');
    expect(JSON.stringify(vendor.traces)).not.toContain(TOKEN);
  });
});

describe('reading the result of an asynchronous query', () => {
  const asyncQuery = {
    ...{ queryIdPath: 'id', statusEndpoint: '/jobs/{queryId}', statusPath: 'state', successValue: 'done' },
    ...{ failureValue: 'failed', recordsEndpoint: '/jobs/{queryId}/records', recordsResponsePath: 'items' },
  };
  const tap = (pollIntervalSeconds: number): Partial<TapDefinition> => ({
    sync: { mode: 'full', asyncQuery: { ...asyncQuery, pollIntervalSeconds } },
    transportOptions: [
      { apiType: 'rest', restConfig: { endpoint: '/jobs', method: 'POST', requestBody: { q: 'all' } } },
    ],
  });
  const job =
    (states: string[]): StubbedVendor['respond'] =>
    ({ method, path }) => {
      if (method === 'POST') return { id: 'j-1', state: 'queued' };
      return path.endsWith('/records') ? { items: [{ id: 1 }, { id: 2 }] } : { state: states.shift() ?? 'done' };
    };

  it('starts the query, polls it and reads the records', async () => {
    vendor.respond = job(['queued', 'running']);
    expect(await vendor.idsOf({ tap: tap(0.01) })).toEqual([1, 2]);
    expect(vendor.server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /jobs',
      ...Array.from({ length: 3 }, () => 'GET /jobs/j-1'),
      'GET /jobs/j-1/records',
    ]);
  });

  it('returns the position of a running query before it waits, so that the query is not started again', async () => {
    vendor.respond = job(['running']);
    const reader = vendor.pagesOf({ tap: tap(60) });
    const { value } = (await reader.next()) as IteratorYieldResult<PageRead>;
    await expect(reader.next()).rejects.toMatchObject({ action: 'wait', retryAfterMs: 60_000 });
    vendor.respond = job([]);
    expect(await vendor.idsOf({ tap: tap(60), from: JSON.parse(JSON.stringify(value.next)) })).toEqual([1, 2]);
    expect(vendor.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('fails if the vendor reports that the query failed', async () => {
    vendor.respond = job(['failed']);
    expect(await vendor.failureOf({ tap: tap(0.01) })).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
  });
});
