import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { acceptHeldRows, discardRowsOfTap } from '../../src/syncs/held/decide-held-rows.js';
import { TapReadError } from '../../src/syncs/tap-read-error.js';
import { systemCaller, writeAsCaller } from '../../src/tenancy/workspace-transaction.js';
import { aPage, inPages, onlyOnce, recordsOf, syncedTaps, waitError } from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();
const { world } = syncs;

describe('a sync of taps that are read in full', () => {
  it('loads all pages, and a later sync replaces the rows', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1, 2, 3));
    const first = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2, 3]);
    expect(await syncs.job(first)).toMatchObject({
      ...{ status: 'succeeded', is_initial: true, trigger: 'manual', external_id: null },
      ...{ records_read: 3, records_written: 3, records_rejected: 0, finished_at: expect.any(Date) },
    });
    expect(await syncs.run(connection, 'users')).toMatchObject({
      ...{ status: 'succeeded', mode: 'replace', records_read: '3', bytes_read: '300', requests: '3' },
      ...{ slices_total: 1, slices_done: 1 },
    });
    connection.vendor.users = inPages(() => recordsOf(3, 4));
    const second = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(second).not.toBe(first);
    expect((await syncs.job(second)).is_initial).toBe(false);
    expect(await syncs.idsIn(connection, 'users')).toEqual([3, 4]);
    expect(await world.query('select from sync_slice')).toEqual([]);
  });

  it('shows the old rows until all pages are read', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1));
    await syncs.start(connection);
    await syncs.runSteps(connection);
    connection.vendor.users = inPages(() => recordsOf(2, 3), onlyOnce(waitError, 1));
    await syncs.start(connection);
    const [job] = await syncs.waitingSteps(connection);
    await syncs.step(job?.data);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1]);
    expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'waiting', records_read: '1' });
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([2, 3]);
  });

  it('keeps the files of an open replacement when abandoned files are deleted', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(2, 3), onlyOnce(waitError, 1));
    await syncs.start(connection);
    const [job] = await syncs.waitingSteps(connection);
    await syncs.step(job?.data);
    const kept = `select kept_until > now() + interval '13 days' as "isKept" from table_file where generation is not null and state = 'pending'`;
    expect(await world.query(kept)).toEqual([{ isKept: true }]);
    await syncs.runSteps(connection);
    expect(await world.query(kept)).toEqual([]);
  });

  it('keeps the old rows after a failure, and discards the files of earlier steps', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1));
    await syncs.start(connection);
    await syncs.runSteps(connection);
    connection.vendor.users = inPages(
      () => recordsOf(2, 3, 4),
      (offset) => {
        if (offset === 2) throw new TapReadError('contract', 'fail_tap', 'No list at `items`.');
      },
    );
    const before = connection.vendor.users;
    const wait = onlyOnce(waitError, 1);
    connection.vendor.users = async function* (slice, from, signal) {
      wait(from?.offset ?? 1);
      yield* before(slice, from, signal);
    };
    const job = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1]);
    expect(await syncs.job(job)).toMatchObject({
      ...{ status: 'failed', error_class: 'contract', error_message: 'users: No list at `items`.' },
    });
    const left = `select from table_file where state = 'pending' and tenant_id = (select tenant_id from tap_run where job_id = (select id from sync_job order by created_at desc limit 1) limit 1)`;
    expect(await world.query(left)).toEqual([]);
    expect(await world.query('select from sync_slice')).toEqual([]);
  });

  it('reads the other taps after one tap has failed: partial_success', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const connection = await syncs.createConnection(Object.fromEntries(names.map((name) => [name, {}])));
    for (const name of names) connection.vendor[name] = inPages(() => recordsOf(1));
    connection.vendor.c = inPages(
      () => recordsOf(1),
      () => {
        throw new TapReadError('permission', 'fail_tap', 'Forbidden.');
      },
    );
    const job = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.job(job)).toMatchObject({
      status: 'partial_success',
      error_class: 'permission',
      records_read: 4,
    });
    const [instance] = await world.query(
      'select last_sync_status, sync from tenant_connector_instance where credential_id is not null order by created_at desc limit 1',
    );
    expect(instance).toMatchObject({ last_sync_status: 'partial_success', sync: { isQueued: false } });
  });

  it('a skipped tap and a skipped slice are not failures', async () => {
    const connection = await syncs.createConnection({ skipped: {}, part: {} });
    const failWith = (action: 'skip_tap' | 'skip_slice') => () => {
      throw new TapReadError('permission', action, 'Not licensed.');
    };
    connection.vendor.skipped = inPages(() => recordsOf(1), failWith('skip_tap'));
    connection.vendor.part = inPages(() => recordsOf(1), failWith('skip_slice'));
    const job = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.job(job)).toMatchObject({ status: 'succeeded', error_class: null });
    expect(await syncs.run(connection, 'skipped')).toMatchObject({ status: 'skipped', error_class: 'permission' });
    expect(await syncs.run(connection, 'part')).toMatchObject({ status: 'succeeded', slices_done: 1 });
  });

  it('a rejected credential ends all runs and marks the credential', async () => {
    const connection = await syncs.createConnection({ a: {}, b: {} });
    connection.vendor.a = connection.vendor.b = inPages(
      () => recordsOf(1),
      () => {
        throw new TapReadError('credential', 'stop_run', 'The source rejects the credential.', { status: 401 });
      },
    );
    const job = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.job(job)).toMatchObject({ status: 'failed', error_class: 'credential' });
    expect((await syncs.run(connection, 'b')).status).toBe('failed');
    const [credential] = await world.query(
      `select c.status, c.error_code, v.trigger from credential_metadata c join credential_validation v on v.credential_id = c.id
       where c.tenant_id = (select tenant_id from sync_job order by created_at desc limit 1)`,
    );
    expect(credential).toEqual({ status: 'invalid', error_code: 'auth_failed', trigger: 'synced' });
  });
});

describe('a full read of 45 pages', () => {
  const PAGES = Array.from({ length: 45 }, (_, nth) => nth + 1);

  it('that is killed after page 37 continues, and the table has the records of all pages', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(...PAGES));
    await syncs.start(connection);
    await syncs.runSteps(connection);
    const [pause, kill] = [onlyOnce(waitError, 20), onlyOnce(() => new Error('killed'), 37)];
    connection.vendor.users = inPages(
      () => recordsOf(...PAGES.map((id) => id + 10)),
      (offset) => {
        pause(offset);
        kill(offset);
      },
    );
    await syncs.start(connection);
    await expect(syncs.runSteps(connection)).rejects.toThrow('killed');
    expect(await syncs.idsIn(connection, 'users')).toEqual(PAGES);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual(PAGES.map((id) => id + 10));
  });
});

describe('a full read that lacks many records of the table', () => {
  const idsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, nth) => first + nth);

  async function aTap() {
    const connection = await syncs.createConnection({ users: {} });
    const tapId = connection.taps.users as string;
    const { em, tables } = world.services;
    const context = {
      tableServices: world.services,
      write: <Result>(work: Parameters<typeof writeAsCaller<Result>>[4]) =>
        writeAsCaller(em, tables, systemCaller(connection.tenantId), randomUUID(), work),
    };
    const pendingFiles = async (): Promise<number> => {
      const sql = `select f.id from table_file f join catalog_table t on t.id = f.table_id where t.tap_id = $1 and f.state = 'pending'`;
      return (await world.query(sql, [decodeId(tapId)])).length;
    };
    return {
      ...{ connection, pendingFiles },
      /** With `isPaused`, reads the records in two steps. */
      async read(ids: readonly number[], isPaused = false) {
        const pause = onlyOnce(waitError, 1);
        const middle = isPaused ? Math.ceil(ids.length / 2) : ids.length;
        connection.vendor.users = async function* (_, from) {
          if (!from) yield aPage(recordsOf(...ids.slice(0, middle)), isPaused ? { offset: 1 } : undefined);
          if (isPaused) pause(1);
          if (isPaused) yield aPage(recordsOf(...ids.slice(middle)));
        };
        await syncs.start(connection);
        await syncs.runSteps(connection);
        return syncs.run(connection, 'users');
      },
      ids: () => syncs.idsIn(connection, 'users'),
      accept: () => acceptHeldRows(context, tapId),
      discard: () => discardRowsOfTap(context, tapId),
      heldUntil: async () => (await syncs.run(connection, 'users')).held_until,
    };
  }

  it('replaces nothing and fails a check, until the contract allows the share', async () => {
    const { connection, read, ids } = await aTap();
    await read(idsFrom(1, 20));
    expect(await read(idsFrom(8, 20))).toMatchObject({
      ...{ status: 'failed', error_class: 'contract' },
      error_message: expect.stringContaining('missing_rate is 0.35 (7 of 20 records)'),
    });
    expect(await ids()).toEqual(idsFrom(1, 20));
    const [result] = await world.query(`select checks from table_quality_result order by captured_at desc limit 1`);
    expect(result?.checks).toContainEqual(expect.objectContaining({ key: 'missing_rate', status: 'FAIL' }));
    await world.query(
      `update table_contract set rules = '[{"type":"missing_rate","maxRate":0.4}]' where scope = 'tap' and table_id = (select id from catalog_table where tap_id = $1)`,
      [decodeId(connection.taps.users as string)],
    );
    expect((await read(idsFrom(8, 20))).status).toBe('succeeded');
    expect(await ids()).toEqual(idsFrom(8, 20));
  });

  it('is held for 14 days, and replaces all rows once a person accepts it', async () => {
    const tap = await aTap();
    await tap.read(idsFrom(1, 20));
    const { held_until, finished_at } = await tap.read(idsFrom(8, 20), true);
    expect((held_until - finished_at) / 86_400_000).toBe(14);
    expect([await tap.ids(), await tap.pendingFiles()]).toEqual([idsFrom(1, 20), 2]);
    const [earliest] = await world.query(
      `select extract(epoch from min(kept_until) - now()) / 86400 as days from table_file where state = 'pending'`,
    );
    expect(Number(earliest?.days)).toBeGreaterThan(13.9);
    await tap.accept();
    expect([await tap.ids(), await tap.pendingFiles(), await tap.heldUntil()]).toEqual([idsFrom(8, 20), 0, null]);
    await expect(tap.accept()).rejects.toThrow('The tap has no held rows.');
  });

  it('is deleted if a person discards it', async () => {
    const tap = await aTap();
    await tap.read(idsFrom(1, 20));
    await tap.read(idsFrom(8, 20), true);
    await tap.discard();
    expect([await tap.ids(), await tap.pendingFiles(), await tap.heldUntil()]).toEqual([idsFrom(1, 20), 0, null]);
    await tap.discard();
    await expect(tap.accept()).rejects.toThrow('The tap has no held rows.');
  });

  it('locks the run before the tap when it is discarded, as when it is accepted', async () => {
    const tap = await aTap();
    await tap.read(idsFrom(1, 20));
    const { id, tap_id } = await tap.read(idsFrom(8, 20));
    const { em, tables } = world.services;
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'held_until > '`;
    let discarded: Promise<void> | undefined;
    await runTenantTransaction(em, tables, tap.connection.tenantId, async (tx) => {
      await tx.em.execute('select from tap_run where id = ? for update', [id]);
      discarded = tap.discard();
      await vi.waitFor(async () => expect(await world.query(waiting)).not.toEqual([]));
      await tx.em.execute('select from tenant_connector_tap where id = ? for update nowait', [tap_id]);
    });
    await discarded;
  });

  it('without any record can be accepted too', async () => {
    const tap = await aTap();
    await tap.read(idsFrom(1, 20));
    await tap.read([]);
    expect(await tap.ids()).toEqual(idsFrom(1, 20));
    await tap.accept();
    expect(await tap.ids()).toEqual([]);
  });

  it('is held until a newer read of the tap is complete', async () => {
    const tap = await aTap();
    await tap.read(idsFrom(1, 20));
    const first = await tap.read(idsFrom(8, 20));
    const second = await tap.read(idsFrom(9, 20));
    const [older] = await world.query('select held_until from tap_run where id = $1', [first.id]);
    expect([older?.held_until, second.held_until !== null, await tap.pendingFiles()]).toEqual([null, true, 1]);
    await tap.read(idsFrom(1, 21));
    expect(await tap.pendingFiles()).toBe(0);
    await expect(tap.accept()).rejects.toThrow('The tap has no held rows.');
    expect(await tap.ids()).toEqual(idsFrom(1, 21));
  });

  it('cannot be accepted after the 14 days', async () => {
    const tap = await aTap();
    await tap.read(idsFrom(1, 20));
    const { id } = await tap.read(idsFrom(8, 20));
    await world.query(`update tap_run set held_until = now() where id = $1`, [id]);
    await expect(tap.accept()).rejects.toThrow('The tap has no held rows.');
    expect(await tap.ids()).toEqual(idsFrom(1, 20));
  });
});
