import { describe, expect, it } from 'vitest';
import type { TapSync } from '../../../src/catalog/model/tap-sync.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { aPage, type FakeTap, inPages, recordsOf, syncedTaps, waitError } from '../../support/syncs/synced-taps.js';

const syncs = await syncedTaps();

type Window = NonNullable<Parameters<FakeTap>[0]['window']>;
const INCREMENTAL: TapSync = { mode: 'incremental', cursorField: 'updated' };

/** Creates a connection that has read the records 1 and 2. `windows` collects the time windows of the next requests. */
async function aSyncedConnection(sync: Partial<TapSync> = {}) {
  const definition = { sync: { ...INCREMENTAL, ...sync }, dataKind: 'snapshot' as const };
  const connection = await syncs.createConnection({ events: definition, users: {} });
  const records = [
    { id: 1, updated: 1_000_000 },
    { id: 2, updated: 2_000_000 },
  ];
  const windows: Window[] = [];
  connection.vendor.users = inPages(() => recordsOf(1));
  connection.vendor.events = async function* ({ window }) {
    windows.push(window as Window);
    const { since = new Date(0), until = new Date() } = window ?? {};
    yield aPage(records.filter(({ updated }) => updated >= Number(since) && updated <= Number(until)));
  };
  await syncs.start(connection);
  await syncs.runSteps(connection);
  windows.length = 0;
  return { connection, records, windows, tapIds: [connection.taps.events as string] };
}

describe('a sync of a time range', () => {
  const range = { from: new Date(500_000), until: new Date(1_500_000) };

  it('reads the range of incremental taps again, and keeps the position', async () => {
    const { connection, records, windows } = await aSyncedConnection();
    records.unshift({ id: 3, updated: 900_000 });
    const job = await syncs.start(connection, { range });
    await syncs.runSteps(connection);
    expect(windows).toEqual([{ since: range.from, until: range.until }]);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 3]);
    expect(await syncs.run(connection, 'events')).toMatchObject({ range_from: range.from, run_until: range.until });
    expect((await syncs.run(connection, 'users')).range_from).toBeNull();
    expect(await syncs.job(job)).toMatchObject({ status: 'succeeded', records_read: 2, run_until: range.until });
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(windows[1]?.since).toEqual(new Date(2_000_000));
  });

  it('is read in windows of the definition', async () => {
    const { connection, windows } = await aSyncedConnection({ incrementalParams: { maxWindowDays: 10 } });
    const from = new Date('2026-01-01');
    await syncs.start(connection, { range: { from, until: new Date('2026-01-25') } });
    await syncs.runSteps(connection);
    expect(windows.map(({ since }) => since?.toISOString().slice(0, 10))).toEqual([
      ...['2026-01-01', '2026-01-11', '2026-01-21'],
    ]);
  });

  it('continues after a wait, and its failure does not change what the next sync reads', async () => {
    const { connection, windows, tapIds } = await aSyncedConnection();
    const positions: unknown[] = [];
    const events = connection.vendor.events as FakeTap;
    connection.vendor.events = async function* (_, from) {
      positions.push(from);
      if (from) throw new TapReadError('vendor_unavailable', 'fail_tap', 'The source is down.');
      yield aPage([{ id: 4, updated: 1_400_000 }], { cursor: 'second' });
      throw waitError();
    };
    await syncs.start(connection, { range, tapIds });
    await syncs.runSteps(connection);
    expect(positions).toEqual([undefined, { cursor: 'second' }]);
    expect((await syncs.run(connection, 'events')).status).toBe('failed');
    connection.vendor.events = events;
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(windows.map(({ since }) => since?.getTime())).toEqual([2_000_000]);
  });

  it('keeps its committed rows when it is cancelled, and the next sync continues at its own position', async () => {
    const { connection, windows, tapIds } = await aSyncedConnection();
    const events = connection.vendor.events as FakeTap;
    connection.vendor.events = async function* () {
      yield aPage([{ id: 4, updated: 1_400_000 }], { cursor: 'second' });
      throw new TapReadError('rate_limited', 'wait', 'Slow down.', { retryAfterMs: 60_000 });
    };
    const job = await syncs.start(connection, { range, tapIds });
    await syncs.runSteps(connection);
    await syncs.cancel(connection, job);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 4]);
    connection.vendor.events = events;
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(windows.map(({ since }) => since?.getTime())).toEqual([2_000_000]);
  });

  it('is rejected for a tap that is read in full, and while another sync is open', async () => {
    const { connection } = await aSyncedConnection();
    const start = (request: object) => syncs.start(connection, { range, ...request });
    await expect(start({ tapIds: [connection.taps.users] })).rejects.toThrow('"users" is always read in full');
    await syncs.start(connection);
    await expect(start({})).rejects.toThrow('A sync of the connection is open');
  });
});

describe('a sync of records with future dates', () => {
  const DAY_MS = 86_400_000;
  const incrementalParams = { defaultLookaheadDays: 10, maxLookaheadDays: 20 };
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

  it('reads the next days again in each sync, and stores each version of a record once', async () => {
    const { connection, records, windows } = await aSyncedConnection({ incrementalParams });
    records.push({ id: 3, updated: Number(inDays(5)) }, { id: 4, updated: Number(inDays(6)) });
    const sync = async () => {
      await syncs.start(connection);
      await syncs.runSteps(connection);
      return windows.at(-1) as Window;
    };
    const first = await sync();
    expect(Number(first.until) - Number((await syncs.run(connection, 'events')).run_until)).toBe(10 * DAY_MS);
    Object.assign(records[2] as object, { title: 'Moved', updated: Number(inDays(4)) });
    Object.assign(records[3] as object, { title: 'Renamed' });
    expect(Number((await sync()).since)).toBe(Number(first.until) - 10 * DAY_MS);
    await sync();
    expect((await syncs.run(connection, 'events')).records_written).toBe('0');
    Object.assign(records[3] as object, { title: undefined });
    await sync();
    expect((await syncs.run(connection, 'events')).records_written).toBe('1');
    expect((await syncs.rowsOf(connection, 'events')).map(({ id, title }) => [Number(id), title ?? null])).toEqual([
      [1, null],
      [2, null],
      [3, 'Moved'],
      [4, null],
    ]);
  });

  it('continues at the current time on the clock of the vendor', async () => {
    const { connection, records, windows } = await aSyncedConnection({ incrementalParams });
    records.push({ id: 3, updated: Number(inDays(5)) });
    const using = syncs.servicesWith(syncs.services.tableServices, { clockOffsetMs: async () => -DAY_MS });
    for (let run = 0; run < 2; run += 1) {
      await syncs.start(connection);
      await syncs.runSteps(connection, { using });
    }
    expect(Number(windows[1]?.since)).toBe(Number(windows[0]?.until) - 10 * DAY_MS);
  });

  it('may end a time range at most maxLookaheadDays in the future', async () => {
    const { connection, windows, tapIds } = await aSyncedConnection({ incrementalParams });
    const start = (from: Date, until: Date, more = {}) => syncs.start(connection, { range: { from, until }, ...more });
    await expect(start(inDays(0), inDays(21))).rejects.toThrow('range.until is too late');
    const users = { tapIds: [connection.taps.users as string] };
    await expect(start(inDays(0), inDays(1), users)).rejects.toThrow('"users" is always read in full');
    await start(inDays(12), inDays(19), { tapIds });
    await syncs.runSteps(connection);
    expect(Math.round((Number(windows[0]?.until) - Date.now()) / DAY_MS)).toBe(19);
  });

  it('reads only up to the current time a tap that is added to the open sync of a future range', async () => {
    const { connection, tapIds } = await aSyncedConnection({ incrementalParams });
    const range = { from: inDays(1), until: inDays(19) };
    const job = await syncs.start(connection, { range, tapIds });
    expect(await syncs.start(connection)).toBe(job);
    expect(await syncs.run(connection, 'events')).toMatchObject({ run_until: range.until });
    expect((await syncs.run(connection, 'users')).run_until <= new Date()).toBe(true);
  });

  it('ends a time range of other taps at the current time', async () => {
    const { connection, tapIds } = await aSyncedConnection();
    const start = (from: Date, until: Date) => syncs.start(connection, { range: { from, until }, tapIds });
    await expect(start(inDays(-1), inDays(1))).rejects.toThrow('range.until is too late');
    await expect(start(inDays(1), inDays(2))).rejects.toThrow('"events" reads no records with future dates');
  });
});

describe('a sync with mode resync', () => {
  it('reads all records again, and continues from there', async () => {
    const { connection, records, windows } = await aSyncedConnection();
    records.unshift({ id: 0, updated: 10_000 });
    await syncs.start(connection, { isResync: true });
    await syncs.runSteps(connection);
    expect(windows[0]?.since).toBeUndefined();
    expect(await syncs.idsIn(connection, 'events')).toEqual([0, 1, 2]);
    expect(await syncs.run(connection, 'events')).toMatchObject({ is_resync: true, records_read: '3' });
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(windows[1]?.since).toEqual(new Date(2_000_000));
    expect((await syncs.run(connection, 'events')).is_resync).toBe(false);
  });

  it('reads the children of unchanged parents; if it fails before, the next sync reads them', async () => {
    const at = Date.now() - 30 * 86_400_000;
    const connection = await syncs.createConnection(
      { teams: {}, members: { sync: INCREMENTAL } },
      {
        traversal: {
          rootTaps: ['teams'],
          edges: [{ from: 'teams', to: 'members', parentKeyField: 'id', parentChangeField: 'updated' }],
        },
      },
    );
    let reads = 0;
    connection.vendor.teams = inPages(() => [{ id: 1, updated: at }]);
    connection.vendor.members = async function* () {
      reads += 1;
      yield aPage([{ id: 7, updated: 1_000 }]);
    };
    const sync = async (request = {}, using = syncs.services) => {
      await syncs.start(connection, request);
      await syncs.runSteps(connection, { using });
      return reads;
    };
    expect([await sync(), await sync(), await sync({ isResync: true })]).toEqual([1, 1, 2]);
    const failing = syncs.servicesWith(syncs.services.tableServices, {
      fanOut: (scope) => {
        if (!scope) return [{ variables: {}, parentFields: {} }];
        throw new TapReadError('configuration', 'fail_tap', 'The fan-out has no items.');
      },
    });
    expect([await sync({ isResync: true }, failing), await sync(), await sync()]).toEqual([2, 3, 3]);
  });

  it.each(['was cancelled', 'has failed'])('is completed by the next sync after it %s', async (end) => {
    const { connection, records, windows, tapIds } = await aSyncedConnection();
    const events = connection.vendor.events as FakeTap;
    records.unshift({ id: 5, updated: 5_000 });
    const isCancelled = end === 'was cancelled';
    connection.vendor.events = async function* () {
      yield aPage([{ id: 5, updated: 5_000 }], { cursor: 'second' });
      throw isCancelled ? waitError() : new TapReadError('vendor_unavailable', 'fail_tap', 'The source is down.');
    };
    const job = await syncs.start(connection, { isResync: true, tapIds });
    const [step] = await syncs.waitingSteps(connection);
    await syncs.step(step?.data);
    if (isCancelled) await syncs.cancel(connection, job);
    expect((await syncs.job(job)).status).toBe(isCancelled ? 'cancelled' : 'failed');
    connection.vendor.events = events;
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(windows[0]?.since).toBeUndefined();
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 5]);
  });
});
