import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TapSync } from '../../src/catalog/model/tap-sync.js';
import { decodeId } from '../../src/kernel/ids.js';
import { TapReadError } from '../../src/syncs/tap-read-error.js';
import { aPage, inPages, onlyOnce, recordsOf, syncedTaps, waitError } from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();

const contractError = () => new TapReadError('contract', 'fail_tap', 'No list at `items`.');
const anEventTap = (sync: Partial<TapSync> = {}) =>
  syncs.createConnection({ events: { sync: { mode: 'incremental', cursorField: 'updated', ...sync } } });

describe('the next run of a tap that appends', () => {
  /** Creates a connection whose first run has committed the first of three pages. The next step is in the queue. */
  async function aBegunRun(beforePage: (offset: number) => void = () => undefined) {
    const connection = await anEventTap();
    const wait = onlyOnce(waitError, 1);
    const read: number[] = [];
    connection.vendor.events = inPages(
      () => recordsOf(1, 2, 3),
      (offset) => {
        wait(offset);
        read.push(offset);
        beforePage(offset);
      },
    );
    const job = await syncs.start(connection);
    const [step] = await syncs.waitingSteps(connection);
    await syncs.step(step?.data);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1]);
    return { connection, job, read };
  }

  it('continues where a failed run stopped, then reads later windows', async () => {
    const { connection, read } = await aBegunRun(onlyOnce(contractError, 2));
    await syncs.runSteps(connection);
    expect(await syncs.run(connection, 'events')).toMatchObject({ status: 'failed', records_read: '1' });
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(read).toEqual([0, 1, 2, 1, 2, 0, 1, 2]);
    expect(await syncs.run(connection, 'events')).toMatchObject({ status: 'succeeded', slices_total: 2 });
    expect(await syncs.world.query('select from sync_slice')).toEqual([]);
  });

  it('continues where a cancelled run stopped', async () => {
    const { connection, job } = await aBegunRun();
    await syncs.cancel(connection, job);
    connection.vendor.events = async function* (slice, from, signal) {
      if (from) yield* inPages(() => recordsOf(1, 2, 3))(slice, from, signal);
      else yield aPage([]);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 3]);
  });

  it('reads the slice from its start after the vendor has rejected the position', async () => {
    const { connection, read } = await aBegunRun((offset) => {
      if (offset === 1) throw contractError();
    });
    await syncs.runSteps(connection);
    for (let nth = 0; nth < 2; nth++) {
      await syncs.start(connection);
      await syncs.runSteps(connection);
    }
    expect(read).toEqual([0, 1, 1, 0, 1]);
  });

  it('starts at the newest committed record if records come in ascending order', async () => {
    const connection = await anEventTap({ sortOrder: 'ascending' });
    const records = [1, 2, 3].map((id) => ({ id, updated: id * 1_000 }));
    const since: (number | undefined)[] = [];
    const [wait, fail] = [onlyOnce(waitError, 1), onlyOnce(contractError, 2)];
    connection.vendor.events = async function* (slice, from, signal) {
      since.push(slice.window?.since?.getTime());
      const listed = records.filter(({ updated }) => updated >= Number(slice.window?.since ?? 0));
      yield* inPages(
        () => listed,
        (offset) => {
          wait(offset);
          fail(offset);
        },
      )(slice, from, signal);
    };
    const using = syncs.servicesWith(syncs.world.services, { keepsPositions: false });
    for (let nth = 0; nth < 2; nth++) {
      await syncs.start(connection);
      await syncs.runSteps(connection, { using });
    }
    expect(since).toEqual([undefined, undefined, 1_000]);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 3]);
  });
});

describe('lookbackSeconds', () => {
  it('finds records that the vendor adds late, and appends no record twice', async () => {
    const connection = await anEventTap({ lookbackSeconds: 5 });
    const records = [
      { id: 1, updated: 10_000 },
      { id: 2, updated: 12_000 },
    ];
    const since: (number | undefined)[] = [];
    connection.vendor.events = async function* ({ window }) {
      since.push(window?.since?.getTime());
      yield aPage(records.filter(({ updated }) => updated >= Number(window?.since ?? 0)));
    };
    for (let nth = 0; nth < 3; nth++) {
      await syncs.start(connection);
      await syncs.runSteps(connection);
      records.push({ id: 3 + nth, updated: 9_000 + nth * 1_000 });
    }
    expect(since).toEqual([undefined, 7_000, 7_000]);
    expect(await syncs.idsIn(connection, 'events')).toEqual([1, 2, 3, 4]);
  });
});

describe('a window for which the vendor takes too long', () => {
  const HOUR_MS = 3_600_000;
  const slow = () => new TapReadError('vendor_unavailable', 'retry', 'The source does not respond.', { status: 504 });

  it('is read in halves, and each record once', async () => {
    const connection = await anEventTap({ maxLookbackDays: 1 });
    const now = Date.now();
    const records = Array.from({ length: 23 }, (_, nth) => ({ id: nth, updated: now - (23 - nth) * HOUR_MS }));
    const lengths: number[] = [];
    const wait = onlyOnce(waitError, 1);
    connection.vendor.events = async function* (slice, from, signal) {
      const { since = new Date(0), until = new Date() } = slice.window ?? {};
      lengths.push((until.getTime() - since.getTime()) / HOUR_MS);
      if (until.getTime() - since.getTime() > 7 * HOUR_MS) throw slow();
      const found = records.filter(({ updated }) => updated >= since.getTime() && updated <= until.getTime());
      yield* inPages(() => found, wait)(slice, from, signal);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(lengths.map(Math.round)).toEqual([24, 12, 6, 6, 6, 6, 6]);
    expect(await syncs.idsIn(connection, 'events')).toEqual(records.map(({ id }) => id));
    expect(await syncs.run(connection, 'events')).toMatchObject({ status: 'succeeded', slices_done: 1 });
  });

  it('fails if a window of one minute takes too long', async () => {
    const connection = await anEventTap({ maxLookbackDays: 1 });
    let requests = 0;
    // biome-ignore lint/correctness/useYield: the vendor never responds
    connection.vendor.events = async function* () {
      requests += 1;
      throw slow();
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.run(connection, 'events')).toMatchObject({
      status: 'failed',
      error_class: 'vendor_unavailable',
    });
    expect(requests).toBe(11);
  });
});

describe('partitions of a tap', () => {
  const traversal = {
    rootTaps: ['teams'],
    edges: [{ from: 'teams', to: 'members', parentKeyField: 'id', templateVariable: 'team' }],
  };
  async function aTeamConnection(teams: number) {
    const connection = await syncs.createConnection({ teams: {}, members: {} }, { traversal });
    connection.vendor.teams = async function* () {
      yield aPage(recordsOf(...Array.from({ length: teams }, (_, at) => at + 1)));
    };
    return connection;
  }

  it('are read concurrently, as many as the vendor allows, and each record once', async () => {
    const connection = await aTeamConnection(7);
    let [open, most] = [0, 0];
    connection.vendor.members = async function* ({ variables }, from, signal) {
      most = Math.max(most, ++open);
      const first = Number(variables.team) * 10;
      await sleep(20);
      try {
        yield* inPages(() => recordsOf(first, first + 1))({ variables, parentFields: {} }, from, signal);
      } finally {
        open -= 1;
      }
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(most).toBe(3);
    const ids = [1, 2, 3, 4, 5, 6, 7].flatMap((team) => [team * 10, team * 10 + 1]);
    expect(await syncs.idsIn(connection, 'members')).toEqual(ids);
    expect(await syncs.run(connection, 'members')).toMatchObject({ slices_total: 7, slices_done: 7 });
  });

  it('all stop when one of them fails', async () => {
    const connection = await aTeamConnection(3);
    const stopped: unknown[] = [];
    connection.vendor.members = async function* ({ variables }, _, signal) {
      await sleep(variables.team === '2' ? 50 : 10_000, undefined, { signal }).catch(() => {
        stopped.push(variables.team);
      });
      if (variables.team === '2') throw contractError();
      yield aPage([]);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.run(connection, 'members')).toMatchObject({ status: 'failed', error_class: 'contract' });
    expect(stopped.sort()).toEqual(['1', '3']);
  });

  it('continue where each of them stopped when the vendor asks for a pause', async () => {
    const connection = await aTeamConnection(4);
    const wait = onlyOnce(waitError, 1);
    const read: string[] = [];
    connection.vendor.members = async function* (slice, from, signal) {
      const first = Number(slice.variables.team) * 10;
      yield* inPages(
        () => recordsOf(first, first + 1, first + 2),
        (offset) => {
          wait(offset);
          read.push(`${slice.variables.team} ${offset}`);
        },
      )(slice, from, signal);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(new Set(read).size).toBe(read.length);
    expect(await syncs.idsIn(connection, 'members')).toHaveLength(12);
  });
});

describe('a paused connection', () => {
  async function aPausedRun(trigger: 'schedule' | 'manual') {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1, 2), onlyOnce(waitError, 1));
    await syncs.start(connection, { trigger });
    const [step] = await syncs.waitingSteps(connection);
    await syncs.step(step?.data);
    await setPaused(connection, true);
    await syncs.runSteps(connection);
    return connection;
  }
  const setPaused = ({ instanceId }: { instanceId: string }, isPaused: boolean) =>
    syncs.world.query('update tenant_connector_instance set schedule_paused = $1 where id = $2', [
      ...[isPaused, decodeId(instanceId)],
    ]);

  it('pauses its scheduled sync after the current step, and continues it when it is resumed', async () => {
    const connection = await aPausedRun('schedule');
    expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'waiting', records_read: '1' });
    await setPaused(connection, false);
    await syncs.world.query('update tap_run set not_before = null');
    await syncs.world.query(`update taproot_jobs.job set start_after = now() where name = 'sync-tap-step'`);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2]);
  });

  it('continues a sync that a caller has started', async () => {
    const connection = await aPausedRun('manual');
    expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'succeeded' });
  });
});
