import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TransportOption } from '../../src/catalog/model/transport-option.js';
import type { OpenTap } from '../../src/syncs/runs/sync-services.js';
import { seededInteger } from '../support/seeded-integers.js';
import type { ReceivedRequest, StubResponse } from '../support/servers/source-server.js';
import { StubbedVendor } from '../support/syncs/stubbed-vendor.js';
import { aPage, type SyncedConnection, syncedTaps, waitError } from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();
const vendor = new StubbedVendor();
beforeAll(() => vendor.open());
afterAll(() => vendor.server.close());
beforeEach(() => vendor.reset());

const DAY_MS = 86_400_000;
const SYNC = {
  ...{ mode: 'incremental' as const, cursorField: 'updated', cursorValueFormat: 'epoch_millis' },
  incrementalParams: { sinceParam: 'since', untilParam: 'until', sinceFormat: 'epoch_millis' },
};

function overHttp(option: Partial<TransportOption>, changes: Partial<OpenTap> = {}) {
  const tap = {
    ...{ sync: SYNC, responseExtraction: { primaryKey: 'id', responsePath: 'items' } },
    transportOptions: [{ apiType: 'rest' as const, restConfig: { endpoint: '/items' }, ...option }],
  };
  return syncs.servicesWith(syncs.world.services, {
    ...{ concurrency: 1, readsAgain: true, ...changes },
    readPages: ({ window }, from, signal) =>
      vendor.pagesOf({ tap, signal, ...(window && { window }), ...(from && { from }) }),
  });
}

async function sync(connection: SyncedConnection, using: ReturnType<typeof overHttp>): Promise<void> {
  await syncs.start(connection);
  await syncs.runSteps(connection, { using });
}

describe('a vendor that returns at most 100 records for one query', () => {
  const CAP = 100;
  const PAGE = 30;
  const now = Date.now();
  const below = seededInteger(7);
  /** Half of the records have changed in the last three hours. */
  const records = Array.from({ length: 700 }, (_, id) => ({
    ...{ id, updated: now - below(id % 2 ? 3 * 3_600_000 : 24 * DAY_MS) - 60_000 },
  }));
  const respond =
    (total?: true) =>
    ({ url }: ReceivedRequest): StubResponse => {
      const [since, until, after] = ['since', 'until', 'after'].map((name) => Number(url.searchParams.get(name) ?? 0));
      const found = records.filter(({ updated }) => updated >= Number(since) && updated <= Number(until));
      const from = Number(after);
      const to = Math.min(from + PAGE, CAP);
      const hasNext = to < CAP && to < found.length;
      return {
        ...{ items: found.slice(from, to) },
        ...(hasNext && { next: to }),
        ...(total && { total: found.length }),
      };
    };
  const anEventTap = (maxLookbackDays?: number) =>
    syncs.createConnection({ events: { sync: maxLookbackDays ? { ...SYNC, maxLookbackDays } : SYNC } });
  const ids = records.map(({ id }) => id);
  const cursor = { cursorPath: 'next', cursorParam: 'after' };

  it.each([undefined, 90])('loses no record and stores none twice, with maxLookbackDays %s', async (lookback) => {
    const connection = await anEventTap(lookback);
    vendor.respond = respond();
    await sync(connection, overHttp({ pagination: { type: 'cursor', maxRecords: CAP, cursor } }, { maxRecords: CAP }));
    expect(await syncs.run(connection, 'events')).toMatchObject({ status: 'succeeded' });
    expect(await syncs.idsIn(connection, 'events')).toEqual(ids);
    expect(vendor.server.requests.length).toBeLessThan(250);
  });

  it('reads no page of a window whose total exceeds the limit', async () => {
    const connection = await anEventTap(90);
    vendor.respond = respond(true);
    const offset = { offsetParam: 'after', totalPath: 'total' };
    await sync(connection, overHttp({ pagination: { type: 'offset', maxRecords: CAP, offset } }, { maxRecords: CAP }));
    expect(await syncs.idsIn(connection, 'events')).toEqual(ids);
    expect(Number((await syncs.run(connection, 'events')).records_read)).toBe(records.length);
  });

  it('fails the tap with this reason if a window of one minute has more records', async () => {
    const connection = await anEventTap(1);
    const items = Array.from({ length: CAP }, (_, id) => ({ id, updated: now }));
    vendor.respond = () => ({ items });
    await sync(connection, overHttp({ pagination: { type: 'cursor', maxRecords: CAP, cursor } }));
    expect(await syncs.run(connection, 'events')).toMatchObject({
      ...{ status: 'failed', error_class: 'contract', error_message: expect.stringContaining('at most 100 records') },
    });
  });
});

describe('pages that are read again from the first page', () => {
  const respond = (): typeof vendor.respond => {
    let isExpired = false;
    return ({ url }) => {
      const page = Number(url.searchParams.get('after') ?? 0);
      if (page === 2 && !isExpired) {
        isExpired = true;
        return { status: 400, body: { message: 'page token' } };
      }
      return { items: [{ id: 2 * page }, { id: 2 * page + 1 }], ...(page < 3 && { next: page + 1 }) };
    };
  };
  const errorBodyRules = [{ statusCode: 400, action: 'reset_paging' as const }];

  it.each([['incremental', SYNC] as const, ['full', { mode: 'full' }] as const])(
    'store no record twice in a tap with sync mode %s',
    async (_, mode) => {
      const connection = await syncs.createConnection({ events: { sync: mode } });
      vendor.respond = respond();
      const pagination = { type: 'cursor' as const, cursor: { cursorPath: 'next', cursorParam: 'after' } };
      await sync(connection, overHttp({ pagination, errorBodyRules }));
      expect(await syncs.idsIn(connection, 'events')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect((await syncs.run(connection, 'events')).records_read).toBe('12');
    },
  );

  it('are recognized by another step', async () => {
    const connection = await syncs.createConnection({ events: { sync: SYNC } });
    let steps = 0;
    connection.vendor.events = async function* (_, from) {
      steps += 1;
      if (steps === 1) {
        yield aPage([{ id: 1 }, { id: 2 }], { cursor: 'expired' });
        throw waitError();
      }
      expect(from).toEqual({ cursor: 'expired' });
      yield aPage([{ id: 1 }, { id: 2 }], { cursor: 'new' });
      yield aPage([{ id: 3 }]);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection, { using: syncs.servicesWith(syncs.world.services, { readsAgain: true }) });
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 3]);
  });
});

describe('the end of a run', () => {
  it('is a time on the clock of the vendor, for taps with windows', async () => {
    const connection = await syncs.createConnection({ events: { sync: SYNC }, users: {} });
    const ends: (number | undefined)[] = [];
    connection.vendor.events = async function* ({ window }) {
      ends.push(window?.until.getTime());
      yield aPage([{ id: 1, updated: Date.now() }]);
    };
    connection.vendor.users = async function* () {
      yield aPage([{ id: 1 }]);
    };
    const using = syncs.servicesWith(syncs.world.services, { clockOffsetMs: async () => -90_000 });
    const job = await syncs.start(connection);
    await syncs.runSteps(connection, { using });
    const started = (await syncs.job(job)).run_until.getTime();
    expect(ends).toEqual([started - 90_000]);
    expect((await syncs.run(connection, 'events')).run_until.getTime()).toBe(started - 90_000);
    expect((await syncs.run(connection, 'users')).run_until.getTime()).toBe(started);
  });
});
