import { describe, expect, it } from 'vitest';
import type { TapSync } from '../../src/catalog/model/tap-sync.js';
import type { Traversal, TraversalEdge } from '../../src/catalog/model/traversal.js';
import { TapReadError } from '../../src/syncs/tap-read-error.js';
import { waitUntil } from '../support/database/test-jobs.js';
import {
  aPage,
  type FakeTap,
  inPages,
  type SyncedConnection,
  syncedTaps,
  waitError,
} from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();
const DAY_MS = 86_400_000;

type Slice = Parameters<FakeTap>[0];

/** The tap returns the records of the time window, including both bounds, on one page. */
function changedIn(records: readonly { id: number; updated: number }[], slices: Slice[] = []): FakeTap {
  return async function* (slice) {
    slices.push(slice);
    const { since = new Date(0), until = new Date() } = slice.window ?? {};
    yield aPage(records.filter(({ updated }) => updated >= Number(since) && updated <= Number(until)));
  };
}

async function sync(connection: SyncedConnection): Promise<string> {
  const job = await syncs.start(connection);
  await syncs.runSteps(connection);
  return job;
}

describe('a sync of an incremental tap', () => {
  const anEventTap = (sync: Partial<TapSync> = {}) =>
    syncs.createConnection({ events: { sync: { mode: 'incremental', cursorField: 'updated', ...sync } } });

  it('reads from the newest record, and appends no record twice', async () => {
    const connection = await anEventTap();
    const records = [
      { id: 1, updated: 1_000 },
      { id: 2, updated: 2_000 },
      { id: 3, updated: 2_000 },
    ];
    const slices: Slice[] = [];
    connection.vendor.events = changedIn(records, slices);
    await sync(connection);
    records.push({ id: 4, updated: 2_000 }, { id: 5, updated: 3_000 }, { id: 2, updated: 3_000 });
    await sync(connection);
    await sync(connection);
    expect(slices.map(({ window }) => window?.since?.getTime())).toEqual([undefined, 2_000, 3_000]);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 2, 3, 4, 5]);
  });

  it('saves no cursor for a slice that was not read completely', async () => {
    const connection = await anEventTap();
    let fails = true;
    const slices: Slice[] = [];
    connection.vendor.events = async function* (slice, from) {
      slices.push(slice);
      if (!from) yield aPage([{ id: 1, updated: 5_000 }], { offset: 1 });
      if (fails) throw new TapReadError('vendor_unavailable', 'retry', 'The source does not respond.');
      yield aPage([{ id: 2, updated: 4_000 }]);
    };
    await sync(connection);
    expect((await syncs.run(connection, 'events')).error_class).toBe('vendor_unavailable');
    fails = false;
    await sync(connection);
    expect(slices[1]?.window?.since).toBeUndefined();
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2]);
  });

  it('ignores times in the future for the next window', async () => {
    const connection = await anEventTap();
    const slices: Slice[] = [];
    const future = Date.now() + 365 * DAY_MS;
    connection.vendor.events = async function* (slice) {
      slices.push(slice);
      yield aPage([{ id: 1, updated: future }]);
    };
    await sync(connection);
    await sync(connection);
    expect(slices[1]?.window?.since?.getTime()).toBe(slices[0]?.window?.until.getTime());
    expect(await syncs.idsIn(connection, 'events')).toEqual([1]);
  });

  it('continues at the window before which the vendor asked for a pause', async () => {
    const connection = await anEventTap({ maxLookbackDays: 10, incrementalParams: { maxWindowDays: 4 } });
    const starts: (number | undefined)[] = [];
    connection.vendor.events = async function* ({ window }) {
      starts.push(window?.since?.getTime());
      if (starts.length === 2) throw waitError();
      yield aPage([]);
    };
    await sync(connection);
    const [first, second, , third] = starts;
    expect(starts).toEqual([first, second, second, third]);
    expect(new Set(starts).size).toBe(3);
    expect(await syncs.run(connection, 'events')).toMatchObject({ slices_total: 3, slices_done: 3 });
  });

  it('starts at maxLookbackDays, and splits windows by maxWindowDays', async () => {
    const connection = await anEventTap({ maxLookbackDays: 10, incrementalParams: { maxWindowDays: 4 } });
    const slices: Slice[] = [];
    connection.vendor.events = changedIn([{ id: 1, updated: Date.now() - 2 * DAY_MS }], slices);
    await sync(connection);
    const ends = slices.map(({ window }) => [window?.since?.getTime(), window?.until.getTime()]);
    const until = ends.at(-1)?.[1] as number;
    const start = until - 10 * DAY_MS;
    expect(ends).toEqual([
      [start, start + 4 * DAY_MS],
      [start + 4 * DAY_MS, start + 8 * DAY_MS],
      [start + 8 * DAY_MS, until],
    ]);
    expect(await syncs.run(connection, 'events')).toMatchObject({ slices_total: 3, slices_done: 3 });
  });

  it('reads in full after the cursor has expired', async () => {
    const connection = await anEventTap();
    connection.vendor.events = changedIn([{ id: 1, updated: 1_000 }]);
    await sync(connection);
    const since: (number | undefined)[] = [];
    connection.vendor.events = async function* ({ window }) {
      since.push(window?.since?.getTime());
      if (window?.since) throw new TapReadError('contract', 'restart', 'The cursor expired.');
      yield aPage([{ id: 2, updated: 500 }]);
    };
    await sync(connection);
    await sync(connection);
    expect(since).toEqual([1_000, undefined, 500, undefined]);
  });
});

describe('a sync of a tap that is read per parent record', () => {
  const edge: TraversalEdge = {
    ...{ from: 'teams', to: 'members', parentKeyField: 'id', templateVariable: 'team' },
    parentContextFields: [{ sourceField: 'name', targetField: 'teamName' }],
    parentEligibility: [{ field: 'isActive', operator: 'eq', values: ['true'] }],
  };
  const traversalOf = (changes: Partial<TraversalEdge> = {}): Traversal => ({
    rootTaps: ['teams'],
    edges: [{ ...edge, ...changes }],
  });
  const teams = [1, 2, 3, 4].map((id) => ({ id, name: `Team ${id}`, isActive: id !== 2 }));

  async function aTeamConnection(traversal = traversalOf(), members = {}, teamTap = {}) {
    const connection = await syncs.createConnection({ members, teams: teamTap }, { traversal });
    const slices: Slice[] = [];
    connection.vendor.teams = inPages(() => teams);
    connection.vendor.members = async function* (slice) {
      slices.push(slice);
      yield aPage([{ id: Number(slice.variables.team) * 10 }]);
    };
    return { connection, slices };
  }

  it('reads one slice per eligible parent, after the parent tap', async () => {
    const { connection, slices } = await aTeamConnection();
    const job = await sync(connection);
    expect((await syncs.job(job)).status).toBe('succeeded');
    expect(slices.map(({ variables, parentFields }) => [variables.team, parentFields])).toEqual([
      ['1', { teamName: 'Team 1' }],
      ['3', { teamName: 'Team 3' }],
      ['4', { teamName: 'Team 4' }],
    ]);
    expect(await syncs.idsIn(connection, 'members')).toEqual([10, 30, 40]);
    expect(await syncs.run(connection, 'members')).toMatchObject({
      slices_total: 3,
      slices_done: 3,
      left_out_parents: 0,
    });
  });

  it('counts each slice once, even after counts of the running step were saved', async () => {
    const { connection } = await aTeamConnection();
    connection.vendor.members = async function* ({ variables: { team } }) {
      if (team === '4') await waitUntil(async () => (await syncs.run(connection, 'members')).slices_done === 2);
      yield aPage([{ id: Number(team) }]);
    };
    await sync(connection);
    expect(await syncs.run(connection, 'members')).toMatchObject({ slices_total: 3, slices_done: 3 });
  });

  it('counts the eligible parents above fanOutLimit', async () => {
    const { connection, slices } = await aTeamConnection(traversalOf({ fanOutLimit: 2 }));
    await sync(connection);
    expect(slices.map(({ variables }) => variables.team)).toEqual(['1', '3']);
    expect(await syncs.run(connection, 'members')).toMatchObject({ status: 'succeeded', left_out_parents: 1 });
  });

  it('reads the newest version of each parent record', async () => {
    const incremental = { sync: { mode: 'incremental' as const } };
    const { connection, slices } = await aTeamConnection(traversalOf(), {}, incremental);
    await sync(connection);
    connection.vendor.teams = inPages(() => [{ id: 1, name: 'Renamed', isActive: true }]);
    slices.length = 0;
    await sync(connection);
    expect(slices.map(({ parentFields }) => parentFields.teamName)).toEqual(['Renamed', 'Team 3', 'Team 4']);
  });

  it('keeps the cursor of a parent record whose other fields change', async () => {
    const { connection } = await aTeamConnection(traversalOf(), { sync: { mode: 'incremental' } });
    const starts: (number | undefined)[] = [];
    connection.vendor.members = async function* ({ window }) {
      starts.push(window?.since?.getTime());
      yield aPage([{ id: 1, updated: 1_000 }]);
    };
    connection.vendor.teams = inPages(() => [{ id: 1, name: 'Team 1', isActive: true }]);
    await sync(connection);
    connection.vendor.teams = inPages(() => [{ id: 1, name: 'Renamed', isActive: true }]);
    await sync(connection);
    expect(starts).toEqual([undefined, 1_000]);
    expect(await syncs.idsIn(connection, 'members')).toEqual([1]);
  });

  it('keeps a cursor per parent record', async () => {
    const { connection } = await aTeamConnection(traversalOf(), { sync: { mode: 'incremental' } });
    const slices: Slice[] = [];
    connection.vendor.members = async function* (slice) {
      slices.push(slice);
      yield aPage([{ id: 1, updated: Number(slice.variables.team) * 1_000 }]);
    };
    await sync(connection);
    await sync(connection);
    const starts = slices.slice(3).map(({ window }) => window?.since?.getTime());
    expect(starts.sort()).toEqual([1_000, 3_000, 4_000]);
  });

  it('fails with the class of the parent, and says that the parent failed', async () => {
    const { connection } = await aTeamConnection();
    connection.vendor.teams = inPages(
      () => teams,
      () => {
        throw new TapReadError('permission', 'fail_tap', 'Forbidden.');
      },
    );
    const job = await sync(connection);
    expect(await syncs.run(connection, 'members')).toMatchObject({
      ...{
        status: 'failed',
        error_class: 'permission',
        error_message: expect.stringContaining('The parent tap "teams" failed.'),
      },
    });
    expect((await syncs.job(job)).status).toBe('failed');
  });

  it('fails if the parent tap is disabled', async () => {
    const { connection } = await aTeamConnection(traversalOf(), {}, { enabled: false });
    await sync(connection);
    expect(await syncs.run(connection, 'members')).toMatchObject({
      ...{
        status: 'failed',
        error_class: 'configuration',
        error_message: expect.stringContaining('"teams", which is disabled. Enable the parent tap'),
      },
    });
  });

  it('reads the table of a parent that is not part of the sync', async () => {
    const { connection, slices } = await aTeamConnection();
    const tapIds = [connection.taps.members as string];
    await syncs.start(connection, { tapIds });
    await syncs.runSteps(connection);
    expect((await syncs.run(connection, 'members')).error_message).toContain('Sync "teams" first');
    await syncs.start(connection, { tapIds: [connection.taps.teams as string] });
    await syncs.runSteps(connection);
    await syncs.start(connection, { tapIds });
    await syncs.runSteps(connection);
    expect(slices).toHaveLength(3);
  });
});
