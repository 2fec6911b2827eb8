import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { RateLimits } from '../../../src/catalog/model/rate-limits.js';
import type { TransportOption } from '../../../src/catalog/model/transport-option.js';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import { openSourceTap } from '../../../src/syncs/runs/open-source-tap.js';
import type { OpenTap } from '../../../src/syncs/runs/sync-services.js';
import { aTap } from '../../support/catalog/definition-builders.js';
import { aConnection } from '../../support/sources/source-connection.js';

type Type = Pagination['type'] | undefined;

async function openTap(taps: TapDefinition[], rateLimits: RateLimits = {}): Promise<OpenTap> {
  const connection = aConnection({ connector: { rateLimits }, taps });
  const [definition] = connection.taps;
  const call = {
    connection,
    sessions: new InMemorySessionStore(),
    send: () => Promise.reject(new Error('no request')),
  };
  const opener = { open: async () => ({ call, workFolder: tmpdir() }) };
  const ids = { tenantId: 't-1', instanceId: 'i-1', requestId: 'r-1' };
  const toOpen = { ...ids, tap: definition as never, onRequest: () => undefined };
  return openSourceTap(opener, toOpen, new AbortController().signal);
}

const optionOf = (type: Type, priority = 1): TransportOption => ({
  ...{ apiType: 'rest', priority, restConfig: { endpoint: '/items' } },
  ...(type && { pagination: { type } }),
});

it.each<[boolean, Type[], Type?]>([
  [true, ['cursor']],
  [true, ['cursor', undefined], 'cursor'],
  [false, ['offset']],
  [false, [undefined]],
  [false, ['cursor', 'page_number']],
  [false, ['cursor'], 'offset'],
])('keeps positions: %s for requests with %j and a first read with %s', async (keeps, types, firstRead) => {
  const tap = aTap({
    name: 'events',
    transportOptions: types.map(optionOf),
    ...(firstRead && { sync: { mode: 'incremental', cursorField: 'at', bootstrapTap: 'all' } }),
  });
  const all = aTap({ name: 'all', transportOptions: [optionOf(firstRead)] });
  expect((await openTap([tap, all])).keepsPositions).toBe(keeps);
});

it.each<[number, RateLimits, Partial<TapDefinition>?]>([
  [4, {}],
  [4, { maxConcurrent: 20, requestsPerSecond: 100 }],
  [2, { maxConcurrent: 2 }],
  [2, { maxConcurrent: 2 }, { rateLimits: { maxConcurrent: 3 } }],
  [1, { requestsPerSecond: 0.5 }, { rateLimits: { requestsPerSecond: 3 } }],
  [3, { requestsPerSecond: 0.5 }, { rateLimitOverride: { requestsPerSecond: 2.5 } }],
  [4, { maxConcurrent: null as never, requestsPerSecond: null as never }],
])('sends at most %i concurrent requests with limits %j of the connector and %j', async (most, limits, tap) => {
  expect((await openTap([aTap(tap)], limits)).concurrency).toBe(most);
});
