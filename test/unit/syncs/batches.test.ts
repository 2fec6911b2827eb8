import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RestBatch, TransportOption } from '../../../src/catalog/model/transport-option.js';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import type { RequestTrace } from '../../../src/syncs/reading/request-trace.js';
import { openSourceTap } from '../../../src/syncs/runs/open-source-tap.js';
import type { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { aTap } from '../../support/catalog/definition-builders.js';
import { SourceServer, type StubResponse } from '../../support/servers/source-server.js';
import { aConnection } from '../../support/sources/source-connection.js';

interface GraphBatch {
  readonly requests: readonly { readonly id: string; readonly method: string; readonly url: string }[];
}

let server: SourceServer;
let batches: GraphBatch[];
/** Responses by path. Further requests get the default response. */
let responses: Record<string, unknown[]>;
beforeAll(async () => {
  server = await new SourceServer(({ body }) =>
    body ? respond(JSON.parse(body)) : { value: [{ id: 'alone' }] },
  ).open();
});
afterAll(() => server.close());
beforeEach(() => {
  batches = [];
  responses = {};
  respond = respondToAll;
});

function respondToAll(batch: GraphBatch): StubResponse {
  batches.push(batch);
  const all = batch.requests.map(({ id, url }) => {
    const prepared = responses[url]?.shift() as object | undefined;
    return { id, status: 200, headers: {}, body: { value: [{ id: `${url} 1` }, { id: `${url} 2` }] }, ...prepared };
  });
  return { responses: all.reverse() };
}
let respond = respondToAll;

async function open(
  batch: RestBatch = { endpoint: '/$batch', maxSubRequests: 3 },
  traces: RequestTrace[] = [],
  others: TransportOption[] = [],
) {
  const tap = aTap({
    responseExtraction: { primaryKey: 'id', responsePath: 'value' },
    transportOptions: [
      {
        apiType: 'rest',
        restConfig: { endpoint: '/users/{user}/messages', queryParams: { top: 2 }, batch },
        pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorIsFullUrl: true } },
      },
      ...others,
    ],
  });
  const connection = aConnection({
    connector: { defaultBaseUrl: `${server.url}/v1.0`, rateLimits: { retry: { maxRetries: 2 } } },
    strategy: { type: 'bearer', bearerConfig: { tokenField: 'token' } },
    ...{ taps: [tap], config: { token: 'secret-token' } },
  });
  const call = { connection, sessions: new InMemorySessionStore(), send: server.send };
  const opener = { open: async () => ({ call, workFolder: tmpdir(), random: () => 0.001 }) };
  const ids = { tenantId: 't-1', instanceId: 'i-1', requestId: 'r-1' };
  const toOpen = {
    ...ids,
    tap: connection.taps[0] as never,
    onRequest: (trace: RequestTrace) => void traces.push(trace),
  };
  return openSourceTap(opener, toOpen, new AbortController().signal);
}

async function idsOf(opened: Awaited<ReturnType<typeof open>>, user: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  const slice = { variables: { user }, parentFields: {} };
  for await (const { records } of opened.readPages(slice, undefined, new AbortController().signal))
    ids.push(...records.map(({ record }) => record.id));
  return ids;
}

const urlOf = (user: string) => `/users/${user}/messages?top=2`;

it('reads the slices of several parents with one request, and each gets its own response', async () => {
  const opened = await open();
  expect(opened.concurrency).toBe(3);
  const found = await Promise.all(['a', 'b', 'c', 'd'].map((user) => idsOf(opened, user)));
  expect(found).toEqual(['a', 'b', 'c', 'd'].map((user) => [`${urlOf(user)} 1`, `${urlOf(user)} 2`]));
  expect(batches.map(({ requests }) => requests.map(({ url }) => url))).toEqual([
    ['a', 'b', 'c'].map(urlOf),
    [urlOf('d')],
  ]);
  expect(server.last).toMatchObject({ method: 'POST', path: '/v1.0/$batch' });
  expect(server.last.headers.authorization).toBe('Bearer secret-token');
});

it('reads further pages, and repeats only the request that failed', async () => {
  const next = `${server.url}/v1.0/users/a/messages?skip=2`;
  responses = {
    [urlOf('a')]: [{ body: { value: [{ id: 1 }], next } }],
    [urlOf('b')]: [{ status: 503 }, { body: { value: [{ id: 3 }] } }],
    '/users/a/messages?skip=2': [{ body: { value: [{ id: 2 }] } }],
  };
  const traces: RequestTrace[] = [];
  const opened = await open(undefined, traces);
  expect(await Promise.all(['a', 'b'].map((user) => idsOf(opened, user)))).toEqual([[1, 2], [3]]);
  const urls = batches.flatMap(({ requests }) => requests.map(({ url }) => url));
  expect(urls.sort()).toEqual([urlOf('a'), '/users/a/messages?skip=2', urlOf('b'), urlOf('b')].sort());
  expect(traces.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503]);
});

it('sends composite requests of Salesforce', async () => {
  let sent: unknown;
  respond = (batch) => {
    sent = batch;
    return { compositeResponse: [{ referenceId: 'r1', httpStatusCode: 200, body: { value: [{ id: 7 }] } }] };
  };
  const opened = await open({ endpoint: '/composite', format: 'salesforce_composite' });
  expect(opened.concurrency).toBe(20);
  expect(await idsOf(opened, 'a')).toEqual([7]);
  expect(sent).toEqual({ compositeRequest: [{ referenceId: 'r1', method: 'GET', url: `/v1.0${urlOf('a')}` }] });
});

it('sends the requests of an alternative option one by one if the option has no batch', async () => {
  respond = () => 403;
  const other: TransportOption = { apiType: 'rest', restConfig: { endpoint: '/messages' } };
  expect(await idsOf(await open(undefined, [], [other]), 'a')).toEqual(['alone']);
  expect(server.last).toMatchObject({ method: 'GET', path: '/v1.0/messages' });
});

it('accepts a response that exceeds the size limit of a single response', async () => {
  const text = 'x'.repeat(9 * 2 ** 20);
  responses = { [urlOf('a')]: [{ body: { value: [{ id: 1, text }] } }] };
  expect(await idsOf(await open(), 'a')).toEqual([1]);
});

it.each<[string, StubResponse, Partial<TapReadError>]>([
  ['rejects the whole batch', 403, { errorClass: 'permission', action: 'skip_tap' }],
  ['omits a response', { responses: [] }, { errorClass: 'contract', action: 'fail_tap' }],
  ['returns no JSON', { status: 200, body: '<html>' }, { errorClass: 'contract', action: 'fail_tap' }],
])('fails each request if the vendor %s', async (_, response, failure) => {
  respond = () => response;
  const opened = await open();
  const failures = await Promise.all(['a', 'b'].map((user) => idsOf(opened, user).catch((error) => error)));
  expect(failures).toMatchObject([failure, failure]);
});
