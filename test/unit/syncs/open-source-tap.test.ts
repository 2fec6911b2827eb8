import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { TransportOption } from '../../../src/catalog/model/transport-option.js';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import { openSourceTap } from '../../../src/syncs/runs/open-source-tap.js';
import { aTap } from '../../support/catalog/definition-builders.js';
import { aConnection } from '../../support/sources/source-connection.js';

type Type = Pagination['type'] | undefined;

/**
 * Returns whether a later run can continue at the position of a tap. `types` are the pagination types of the tap's
 * transport options. `bootstrap` is the pagination type of the list that the first read uses.
 */
async function keepsPositions(types: readonly Type[], bootstrap?: Type): Promise<boolean> {
  const optionOf = (type: Type, priority = 1): TransportOption => ({
    ...{ apiType: 'rest', priority, restConfig: { endpoint: '/items' } },
    ...(type && { pagination: { type } }),
  });
  const tap = aTap({
    name: 'events',
    transportOptions: types.map(optionOf),
    ...(bootstrap && { sync: { mode: 'incremental', cursorField: 'at', bootstrapTap: 'all' } }),
  });
  const connection = aConnection({ taps: [tap, aTap({ name: 'all', transportOptions: [optionOf(bootstrap)] })] });
  const [definition] = connection.taps;
  const call = {
    connection,
    sessions: new InMemorySessionStore(),
    send: () => Promise.reject(new Error('no request')),
  };
  const opener = { open: async () => ({ call, workFolder: tmpdir() }) };
  const ids = { tenantId: 't-1', instanceId: 'i-1', requestId: 'r-1' };
  const toOpen = { ...ids, tap: definition as never, onRequest: () => undefined };
  return (await openSourceTap(opener, toOpen, new AbortController().signal)).keepsPositions;
}

it.each<[boolean, Type[], Type?]>([
  [true, ['cursor']],
  [true, ['cursor', undefined], 'cursor'],
  [false, ['offset']],
  [false, [undefined]],
  [false, ['cursor', 'page_number']],
  [false, ['cursor'], 'offset'],
])('keeps positions: %s for requests with %j and a first read with %s', async (keeps, types, bootstrap) => {
  expect(await keepsPositions(types, bootstrap)).toBe(keeps);
});
