import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { SourceThrottle } from '../../../src/sources/calls/call-source.js';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import { prepareTap } from '../../../src/syncs/reading/prepare-tap.js';
import { type PageRead, readPages } from '../../../src/syncs/reading/read-pages.js';
import type { RequestTrace } from '../../../src/syncs/reading/request-trace.js';
import type { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { aTap } from '../../support/catalog/definition-builders.js';
import { type ReceivedRequest, SourceServer, type StubResponse } from '../../support/servers/source-server.js';
import { aConnection } from '../../support/sources/source-connection.js';

const TOKEN = 'secret-token';
let server: SourceServer;
let respond: (request: ReceivedRequest) => StubResponse | Promise<StubResponse>;
let traces: RequestTrace[];
let pauses: number[];

beforeAll(async () => {
  server = await new SourceServer((request) => respond(request)).open();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  traces = [];
  pauses = [];
});

const throttle: SourceThrottle = {
  acquire: async () => async () => undefined,
  pause: async (milliseconds) => void pauses.push(milliseconds),
};

interface Setting {
  readonly tap?: Partial<TapDefinition>;
  readonly retry?: { maxRetries?: number; maxRetryTimeSeconds?: number };
  readonly from?: PageToken;
  readonly signal?: AbortSignal;
}

async function* pagesOf({ tap, retry = { maxRetries: 3 }, from, signal }: Setting = {}): AsyncGenerator<PageRead> {
  const definition = aTap({
    responseExtraction: { primaryKey: 'id', responsePath: 'items' },
    transportOptions: [
      {
        apiType: 'rest',
        pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'after' } },
        restConfig: { endpoint: '/items', queryParams: { size: 2 } },
      },
    ],
    ...tap,
  });
  const connection = aConnection({
    connector: { defaultBaseUrl: server.url, rateLimits: { retry } },
    strategy: { type: 'bearer', bearerConfig: { tokenField: 'token' } },
    taps: [definition],
    config: { token: TOKEN },
  });
  const source = {
    call: { connection, sessions: new InMemorySessionStore(), send: server.send, throttle },
    workFolder: tmpdir(),
    onRequest: (trace: RequestTrace) => void traces.push(trace),
    random: () => 0.01,
  };
  const ongoing = signal ?? new AbortController().signal;
  const [declared] = connection.taps as never[];
  const prepared = await prepareTap(source, declared as never, ongoing);
  yield* readPages(source, { ...prepared, variables: {}, parentFields: {} }, from, ongoing);
}

async function idsOf(setting?: Setting): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { records } of pagesOf(setting)) ids.push(...records.map(({ record }) => record.id));
  return ids;
}

const failureOf = (setting?: Setting): Promise<TapReadError> => idsOf(setting).then(fail, (error) => error);
const fail = (): never => {
  throw new Error('the read succeeded');
};

/** Responds with three pages of two records. */
const threePages = ({ url }: ReceivedRequest): StubResponse => {
  const page = Number(url.searchParams.get('after') ?? 0);
  const items = [{ id: 2 * page + 1 }, { id: 2 * page + 2 }];
  return { items, ...(page < 2 && { next: page + 1 }) };
};
const ALL = [1, 2, 3, 4, 5, 6];

/** Returns the responses in order, then those of `threePages`. */
function first(...responses: StubResponse[]): typeof respond {
  return (request) => responses.shift() ?? threePages(request);
}

describe('reading the pages of a tap', () => {
  it('reads an empty list as one page without records', async () => {
    respond = () => ({ items: [] });
    expect(await idsOf()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('follows the pages to the last one', async () => {
    respond = threePages;
    expect(await idsOf()).toEqual(ALL);
  });

  it('continues at the position of a page', async () => {
    respond = threePages;
    const reader = pagesOf();
    const { value } = (await reader.next()) as IteratorYieldResult<PageRead>;
    await reader.return(undefined);
    expect(await idsOf({ from: JSON.parse(JSON.stringify(value.next)) })).toEqual(ALL.slice(2));
  });

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('waits after 429 with %s, and pauses all processes', async (_, retryAfter) => {
    respond = first({ status: 429, headers: { 'retry-after': retryAfter() } });
    const startedAt = performance.now();
    expect(await idsOf()).toEqual(ALL);
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    expect(pauses).toHaveLength(1);
  });

  it('asks the caller to continue later if the vendor names a time more than 30 seconds away', async () => {
    respond = first({ status: 429, headers: { 'retry-after': '120' } });
    expect(await failureOf()).toMatchObject({ errorClass: 'rate_limited', action: 'wait', status: 429 });
    expect(server.requests).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThanOrEqual(120_000);
  });

  it('repeats a request after a burst of server errors', async () => {
    respond = first({ status: 503 }, { status: 500 }, { status: 502 });
    expect(await idsOf()).toEqual(ALL);
    expect(traces.map(({ status, attempt }) => [status, attempt])).toEqual([
      ...[503, 500, 502, 200].map((status, nth) => [status, nth + 1]),
      [200, 1],
      [200, 1],
    ]);
  });

  it('fails when the retries of the definition are used up', async () => {
    respond = () => ({ status: 503 });
    expect(await failureOf({ retry: { maxRetries: 1 } })).toMatchObject({ errorClass: 'vendor_unavailable' });
    expect(server.requests).toHaveLength(2);
  });

  it('fails with a contract error for a page that is not JSON', async () => {
    respond = () => ({ status: 200, body: '{"items": [{"id": 1}' });
    expect(await failureOf()).toMatchObject({ errorClass: 'contract' });
  });

  it('fails if the vendor returns the same page again', async () => {
    respond = () => ({ items: [{ id: 1 }], next: 'again' });
    expect(await failureOf()).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  it.each([
    [401, 'credential', 'stop_run'],
    [403, 'permission', 'skip_tap'],
  ])('classifies %i as %s', async (status, errorClass, action) => {
    respond = () => ({ status, body: { message: 'no' } });
    expect(await failureOf()).toMatchObject({ errorClass, action });
  });

  it('stops with the reason of the signal while it waits', async () => {
    const stop = new AbortController();
    respond = () => {
      setTimeout(() => stop.abort(new Error('cancelled')), 50);
      return { status: 429, headers: { 'retry-after': '20' } };
    };
    await expect(idsOf({ signal: stop.signal })).rejects.toThrow('cancelled');
  });

  it('reports each request without secrets', async () => {
    respond = ({ url }) =>
      url.searchParams.has('page')
        ? { items: [] }
        : { items: [{ id: 1 }], next: `${server.url}/items?page=2&key=${TOKEN}` };
    const pagination = { type: 'cursor', cursor: { cursorPath: 'next', cursorIsFullUrl: true } } as const;
    await idsOf({
      tap: { transportOptions: [{ apiType: 'rest', pagination, restConfig: { endpoint: '/items' } }] },
    });
    expect(server.last.url.searchParams.get('key')).toBe(TOKEN);
    expect(traces).toHaveLength(2);
    expect(traces[1]?.url).toContain('page=2&key=***');
    expect(JSON.stringify(traces)).not.toContain(TOKEN);
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
    (states: string[]): typeof respond =>
    ({ method, path }) => {
      if (method === 'POST') return { id: 'j-1', state: 'queued' };
      return path.endsWith('/records') ? { items: [{ id: 1 }, { id: 2 }] } : { state: states.shift() ?? 'done' };
    };

  it('starts the query, polls it and reads the records', async () => {
    respond = job(['queued', 'running']);
    expect(await idsOf({ tap: tap(0.01) })).toEqual([1, 2]);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /jobs',
      ...Array.from({ length: 3 }, () => 'GET /jobs/j-1'),
      'GET /jobs/j-1/records',
    ]);
  });

  it('returns the position of a running query before it waits, so that the query is not started again', async () => {
    respond = job(['running']);
    const reader = pagesOf({ tap: tap(60) });
    const { value } = (await reader.next()) as IteratorYieldResult<PageRead>;
    await expect(reader.next()).rejects.toMatchObject({ action: 'wait', retryAfterMs: 60_000 });
    respond = job([]);
    expect(await idsOf({ tap: tap(60), from: JSON.parse(JSON.stringify(value.next)) })).toEqual([1, 2]);
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('fails if the vendor reports that the query failed', async () => {
    respond = job(['failed']);
    expect(await failureOf({ tap: tap(0.01) })).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
  });
});
