import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { ErrorBodyRule, TransportOption } from '../../../src/catalog/model/transport-option.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import type { PageRead } from '../../../src/syncs/reading/page-read.js';
import type { ReadWindow } from '../../../src/syncs/tap-reading.js';
import { aTap } from '../../support/catalog/definition-builders.js';
import { ALL, first, StubbedVendor, threePages } from '../../support/syncs/stubbed-vendor.js';

const vendor = new StubbedVendor();

beforeAll(() => vendor.open());
afterAll(() => vendor.server.close());
beforeEach(() => vendor.reset());

describe('a tap with several transport options', () => {
  const option = (endpoint: string, priority: number): TransportOption => ({
    apiType: 'rest',
    priority,
    pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'after' } },
    restConfig: { endpoint },
  });
  const tap = { transportOptions: [option('/list', 2), option('/search', 1)] };
  const paths = () => vendor.server.requests.map(({ path, url }) => path + url.search);

  it('uses the option with the lowest priority number', async () => {
    vendor.respond = threePages;
    expect(await vendor.idsOf({ tap })).toEqual(ALL);
    expect(paths()).toEqual(['/search', '/search?after=1', '/search?after=2']);
  });

  it.each([400, 403, 404])('uses the next option for all pages if the first page fails with %i', async (status) => {
    vendor.respond = (request) => (request.path === '/search' ? { status } : threePages(request));
    expect(await vendor.idsOf({ tap })).toEqual(ALL);
    expect(paths()).toEqual(['/search', '/list', '/list?after=1', '/list?after=2']);
  });

  it('continues with the option of a position', async () => {
    vendor.respond = (request) => (request.path === '/search' ? { status: 404 } : threePages(request));
    const { value } = (await vendor.pagesOf({ tap }).next()) as IteratorYieldResult<PageRead>;
    vendor.server.requests.length = 0;
    expect(await vendor.idsOf({ tap, from: JSON.parse(JSON.stringify(value.next)) })).toEqual([3, 4, 5, 6]);
    expect(paths()).toEqual(['/list?after=1', '/list?after=2']);
  });

  it('fails with the failure of the first option if none can be read', async () => {
    vendor.respond = ({ path }) => ({ status: path === '/search' ? 403 : 404 });
    expect(await vendor.failureOf({ tap })).toMatchObject({ errorClass: 'permission', status: 403 });
  });

  it.each([
    ['the credential is rejected', 401, 0],
    ['the vendor is unavailable', 503, 0],
    ['a later page fails', 404, 1],
  ])('does not use another option if %s', async (_, status, failing) => {
    vendor.respond = (request) =>
      Number(request.url.searchParams.get('after') ?? 0) === failing ? { status } : threePages(request);
    expect(await vendor.failureOf({ tap, retry: { maxRetries: 0 } })).toMatchObject({ status });
    expect(paths().filter((path) => path.startsWith('/list'))).toEqual([]);
  });
});

it('fails for a tap that needs code which the service lacks', async () => {
  vendor.respond = threePages;
  expect(await vendor.failureOf({ tap: { extractionHook: 'merge' } })).toMatchObject({ errorClass: 'contract' });
  expect(vendor.server.requests).toHaveLength(0);
});

describe('rate limits of a tap', () => {
  it('override the retries and the reset header of the connector', async () => {
    vendor.respond = () => ({ status: 503 });
    await vendor.failureOf({ retry: { maxRetries: 3 }, tap: { rateLimits: { retry: { maxRetries: 0 } } } });
    expect(vendor.server.requests).toHaveLength(1);
    vendor.respond = first({ status: 429, headers: { 'x-reset': '1' } });
    await vendor.idsOf({ tap: { rateLimitOverride: { resetHeader: 'X-Reset' } } });
    expect(vendor.pauses[0]).toBeGreaterThanOrEqual(1_000);
  });
});

describe('a tap with a bootstrap', () => {
  const events: Partial<TapDefinition> = {
    name: 'events',
    sync: { mode: 'incremental', cursorField: 'at', bootstrapTap: 'all', incrementalParams: { sinceParam: 'from' } },
    transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/events' } }],
  };
  const all = aTap({
    name: 'all',
    responseExtraction: { primaryKey: 'id', responsePath: 'data' },
    transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/all' } }],
  });
  const until = new Date('2026-02-01T00:00:00Z');
  const read = (window: ReadWindow) => vendor.idsOf({ tap: events, others: [all], window });

  it('reads the full list first, and uses its own requests later', async () => {
    vendor.respond = ({ path }) => (path === '/all' ? { data: [{ id: 1 }] } : { items: [{ id: 2 }] });
    expect(await read({ until })).toEqual([1]);
    expect(await read({ since: new Date('2026-01-01T00:00:00Z'), until })).toEqual([2]);
    expect(vendor.server.requests.map(({ path, url }) => path + url.search)).toEqual([
      '/all',
      '/events?from=2026-01-01T00%3A00%3A00Z',
    ]);
  });
});

describe('a rule for errors', () => {
  const ruled = (...errorBodyRules: ErrorBodyRule[]): Partial<TapDefinition> => ({
    transportOptions: [
      {
        apiType: 'rest',
        pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'after' } },
        restConfig: { endpoint: '/items' },
        errorBodyRules,
      },
    ],
  });
  const reset = ruled({ statusCode: 400, action: 'reset_paging' });

  it('reads the pages again, from the first page', async () => {
    const failures = [1];
    vendor.respond = (request) =>
      request.url.searchParams.get('after') === '2' && failures.pop() ? { status: 400 } : threePages(request);
    expect(await vendor.idsOf({ tap: reset })).toEqual([1, 2, 3, 4, ...ALL]);
  });

  it('fails if the first page, or a page read four times, is rejected', async () => {
    vendor.respond = () => ({ status: 400 });
    expect(await vendor.failureOf({ tap: reset })).toMatchObject({ action: 'fail_tap', status: 400 });
    expect(vendor.server.requests).toHaveLength(1);
    vendor.respond = (request) =>
      request.url.searchParams.get('after') === '2' ? { status: 400 } : threePages(request);
    expect(await vendor.failureOf({ tap: reset })).toMatchObject({ action: 'fail_tap', status: 400 });
    expect(vendor.server.requests).toHaveLength(1 + 4 * 3);
  });

  it('counts how often earlier steps have read the pages again', async () => {
    vendor.respond = (request) =>
      request.url.searchParams.get('after') === '2' ? { status: 400 } : threePages(request);
    let from: PageToken | undefined;
    const readStep = async (): Promise<unknown> => {
      let pages = 0;
      for await (const { next } of vendor.pagesOf({ tap: reset, ...(from && { from }) })) {
        from = JSON.parse(JSON.stringify(next));
        if (++pages === 2) return undefined;
      }
      return undefined;
    };
    for (let step = 0; step < 4; step++) await readStep();
    await expect(readStep()).rejects.toMatchObject({ action: 'fail_tap', status: 400 });
  });

  it('stops the sync instead of refreshing a session that the method does not have', async () => {
    vendor.respond = () => ({ status: 400 });
    const tap = ruled({ statusCode: 400, action: 'refresh_session' });
    expect(await vendor.failureOf({ tap })).toMatchObject({ errorClass: 'credential', action: 'stop_run' });
    expect(vendor.server.requests).toHaveLength(1);
  });

  it('repeats the request once with a new session', async () => {
    const tokens: unknown[] = [];
    vendor.respond = (request) => {
      if (request.path === '/login') return { access_token: `t-${vendor.server.requests.length}` };
      tokens.push(request.headers.authorization);
      return tokens.length === 1 ? { status: 200, body: { error: 'stale' } } : threePages(request);
    };
    const tap = ruled({ when: "error == 'stale'", action: 'refresh_session' });
    expect(await vendor.idsOf({ tap, strategy: session() })).toEqual(ALL);
    expect(new Set(tokens).size).toBe(2);
    vendor.respond = ({ path }) => (path === '/login' ? { access_token: 't' } : { error: 'stale' });
    expect(await vendor.failureOf({ tap, strategy: session() })).toMatchObject({ action: 'stop_run' });
  });

  const session = () => ({
    type: 'session_exchange_password' as const,
    oauth2Config: { tokenEndpoint: `${vendor.server.url}/login`, usernameField: 'username', passwordField: 'password' },
  });
});
