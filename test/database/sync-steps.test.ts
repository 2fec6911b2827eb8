import { describe, expect, it } from 'vitest';
import type { TapSync } from '../../src/catalog/model/tap-sync.js';
import { newId } from '../../src/kernel/ids.js';
import { readStepQueue } from '../../src/syncs/runs/read-step-queue.js';
import { TapReadError } from '../../src/syncs/tap-read-error.js';
import type { TableHooks } from '../../src/tables/table-hooks.js';
import { aPage, inPages, onlyOnce, recordsOf, syncedTaps, waitError } from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();
const { world } = syncs;

describe('the quality gate of the table', () => {
  it.each(['full', 'incremental'] as const)('fails the tap and loads nothing: %s', async (mode) => {
    const connection = await syncs.createConnection({ users: { sync: { mode } } });
    connection.vendor.users = inPages(() => recordsOf(1, 2));
    const checked: number[] = [];
    const hooks: TableHooks = {
      ...world.services.hooks,
      openGate: async () => ({
        checksEachBatch: false,
        check: async ({ files }) => {
          checked.push(files.reduce((sum, { rows }) => sum + rows, 0));
          return { rejectionReason: 'too few rows', save: async () => undefined };
        },
      }),
    };
    const job = await syncs.start(connection);
    await syncs.runSteps(connection, { using: syncs.servicesWith({ ...world.services, hooks }) });
    expect(await syncs.job(job)).toMatchObject({
      ...{ status: 'failed', error_class: 'contract', quality_degraded: true },
      error_message: expect.stringContaining('too few rows'),
    });
    expect([checked, await syncs.idsIn(connection, 'users')]).toEqual([[2], []]);
  });
});

describe('a run without rows', () => {
  it.each(['full', 'incremental'] as const)(
    'is checked, and fails if the quality gate requires rows: %s',
    async (mode) => {
      const connection = await syncs.createConnection({ users: { sync: { mode } } });
      connection.vendor.users = inPages(() => recordsOf(1));
      await syncs.start(connection);
      await syncs.runSteps(connection);
      await world.query(
        `update table_contract set rules = '[{"type":"row_count_min","minimum":1}]' where scope = 'tap'`,
      );
      connection.vendor.users = async function* () {
        yield aPage([]);
      };
      const job = await syncs.start(connection);
      await syncs.runSteps(connection);
      expect(await syncs.job(job)).toMatchObject({ status: 'failed', error_class: 'contract', quality_degraded: true });
      expect(await syncs.idsIn(connection, 'users')).toEqual([1]);
    },
  );
});

describe('the queue of steps', () => {
  it('shows due, waiting and running steps, and how long the oldest has been due', async () => {
    await world.query(`delete from taproot_jobs.job where name = 'sync-tap-step'`);
    const connection = await syncs.createConnection({ users: {}, orders: {}, items: {}, notes: {} });
    const job = await syncs.start(connection);
    const [first, second, third] = await syncs.waitingSteps(connection);
    const set = (values: string, job: { id?: string } | undefined) =>
      world.query(`update taproot_jobs.job set ${values} where id = $1`, [job?.id]);
    await set(`start_after = now() - interval '90 seconds'`, first as never);
    await set(`start_after = now() + interval '1 hour'`, second as never);
    await set(`state = 'active'`, third as never);
    const { oldestDueSeconds, ...counts } = await readStepQueue(
      await world.services.em.getConnection().getNativeClient(),
    );
    expect(counts).toEqual({ due: 2, waiting: 1, running: 1 });
    expect(oldestDueSeconds).toBeGreaterThanOrEqual(90);
    await syncs.cancel(connection, job);
  });
});

describe('steps', () => {
  it('have priority if they are the first of their run, so that syncs start before other syncs continue', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1, 2), onlyOnce(waitError, 1));
    await syncs.start(connection);
    const [first] = await syncs.waitingSteps(connection);
    await world.query('delete from taproot_jobs.job where id = $1', [first?.id]);
    await syncs.step(first?.data);
    const [second] = await syncs.waitingSteps(connection);
    expect([first?.priority, second?.priority]).toEqual([1, 0]);
  });

  it('of one run by two workers load every record once', async () => {
    const connection = await syncs.createConnection({ users: { sync: { mode: 'incremental' } } });
    connection.vendor.users = inPages(() => recordsOf(1, 2, 3));
    await syncs.start(connection);
    const [job] = await syncs.waitingSteps(connection);
    await Promise.all([syncs.step(job?.data), syncs.step(job?.data)]);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2, 3]);
  });

  it('with the id of another workspace do nothing', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1));
    const job = await syncs.start(connection);
    const [step] = await syncs.waitingSteps(connection);
    await syncs.step({ ...step?.data, tenantId: newId() });
    expect((await syncs.run(connection, 'users')).status).toBe('pending');
    const stranger = { ...connection, tenantId: newId() };
    await expect(syncs.start(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(syncs.cancel(stranger, job)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(syncs.start(connection, { tapIds: [newId()] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('add columns that records of a later page have', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = async function* () {
      yield aPage(recordsOf(1), { offset: 1 });
      yield aPage([{ id: 2, extra: 'more' } as never]);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.rowsOf(connection, 'users')).toMatchObject([
      expect.objectContaining({ id: '1', extra: null }),
      expect.objectContaining({ id: '2', extra: 'more' }),
    ]);
  });
});

describe('startSync', () => {
  it('returns the open sync of the connection, and adds taps that it does not read yet', async () => {
    const connection = await syncs.createConnection({ a: {}, b: {} });
    connection.vendor.a = connection.vendor.b = inPages(() => recordsOf(1));
    const { a, b } = connection.taps as { a: string; b: string };
    const first = await syncs.start(connection, { tapIds: [a] });
    expect(await syncs.start(connection, { tapIds: [a] })).toBe(first);
    expect(await syncs.waitingSteps(connection)).toHaveLength(1);
    expect(await syncs.start(connection, { tapIds: [b] })).toBe(first);
    await syncs.runSteps(connection);
    expect(await syncs.job(first)).toMatchObject({ status: 'succeeded', records_read: 2 });
    expect(await syncs.start(connection)).not.toBe(first);
  });

  it('rejects a disabled connection, a disabled tap, and a connection without taps to read', async () => {
    const connection = await syncs.createConnection({ a: { enabled: false }, pushed: { sync: { mode: 'push' } } });
    for (const tapIds of [undefined, [connection.taps.a as string], [connection.taps.pushed as string]])
      await expect(syncs.start(connection, { tapIds })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('the children of a parent with parentChangeField', () => {
  const FIRST_SECOND = 1_700_000_000;
  const INCREMENTAL: TapSync = { mode: 'incremental', cursorField: 'updated' };

  /** `sync` runs a sync and returns the ids of the teams whose members the service has requested. */
  async function aTeamVendor(memberSync = INCREMENTAL, teamSync: TapSync = { mode: 'full' }) {
    const edge = { from: 'teams', to: 'members', parentKeyField: 'id', parentChangeField: 'updated' };
    const connection = await syncs.createConnection(
      { members: { sync: memberSync }, teams: { sync: teamSync } },
      { traversal: { rootTaps: ['teams'], edges: [edge] } },
    );
    let teams: { id: number; updated: number }[] = [];
    let requested: string[] = [];
    connection.vendor.teams = async function* () {
      yield aPage(teams);
    };
    const vendor = { beforePage: (_team: string, _request: number): void => undefined };
    connection.vendor.members = async function* ({ variables: { id = '' } }) {
      vendor.beforePage(id, requested.push(id));
      yield aPage(id === '1' ? [{ id: 10, updated: 500 }] : []);
    };
    const sync = async (versions: Readonly<Record<string, number>>, tapIds?: string[]): Promise<string[]> => {
      teams = Object.entries(versions).map(([id, second]) => ({ id: Number(id), updated: FIRST_SECOND + second }));
      requested = [];
      await syncs.start(connection, tapIds && { tapIds });
      await syncs.runSteps(connection);
      return requested.sort();
    };
    return { connection, sync, vendor };
  }

  const failing = (action: 'fail_tap' | 'skip_slice') => () =>
    new TapReadError('contract', action, 'Unexpected response.');

  it('are read only if the parent is new, changed, or back after it was removed', async () => {
    const { sync } = await aTeamVendor();
    expect(await sync({ 1: 1, 2: 1, 3: 1 })).toEqual(['1', '2', '3']);
    expect(await sync({ 1: 1, 2: 1, 3: 1 })).toEqual([]);
    expect(await sync({ 1: 2, 2: 1, 4: 1 })).toEqual(['1', '4']);
    expect(await sync({ 1: 2, 2: 1, 3: 1, 4: 1 })).toEqual(['3']);
    expect(await sync({ 1: 2, 2: 1, 3: 1, 4: 1 })).toEqual([]);
  });

  it('are read again after a read that failed or was skipped', async () => {
    const { sync, vendor } = await aTeamVendor();
    await sync({ 1: 1, 2: 1 });
    for (const action of ['fail_tap', 'skip_slice'] as const) {
      vendor.beforePage = () => {
        throw failing(action)();
      };
      expect(await sync({ 1: 1, 2: 2 })).toEqual(['2']);
    }
    vendor.beforePage = () => undefined;
    expect(await sync({ 1: 1, 2: 2 })).toEqual(['2']);
    expect(await sync({ 1: 1, 2: 2 })).toEqual([]);
  });

  it.each([
    // The error `waitError` ends the step, and the step commits the first window.
    [
      'fails',
      [
        [2, waitError],
        [3, failing('fail_tap')],
      ],
    ],
    ['is skipped', [[1, failing('skip_slice')]]],
  ] as const)('are read again if one of their time windows %s', async (_, failures) => {
    const { sync, vendor } = await aTeamVendor({
      ...{ ...INCREMENTAL, maxLookbackDays: 10 },
      incrementalParams: { maxWindowDays: 5 },
    });
    vendor.beforePage = (_team, request) => {
      for (const [at, error] of failures) if (request === at) throw error();
    };
    await sync({ 2: 1 });
    vendor.beforePage = () => undefined;
    expect(await sync({ 2: 1 })).toContain('2');
    expect(await sync({ 2: 1 })).toEqual([]);
  });

  it('are read if the newest of several versions of the parent is new', async () => {
    const { sync } = await aTeamVendor(INCREMENTAL, INCREMENTAL);
    expect(await sync({ 1: 1, 2: 1 })).toEqual(['1', '2']);
    expect(await sync({ 1: 2 })).toEqual(['1']);
    expect(await sync({})).toEqual([]);
  });

  it('are read if the sync does not read the parent', async () => {
    const { connection, sync } = await aTeamVendor();
    await sync({ 1: 1, 2: 1 });
    expect(await sync({}, [connection.taps.members as string])).toEqual(['1', '2']);
    expect(await sync({ 1: 1, 2: 1 })).toEqual([]);
  });

  it('are read if the tap is read in full', async () => {
    const { sync } = await aTeamVendor({ mode: 'full' });
    await sync({ 1: 1, 2: 1 });
    expect(await sync({ 1: 1, 2: 1 })).toEqual(['1', '2']);
  });
});
