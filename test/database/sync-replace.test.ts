import { describe, expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import { TapReadError } from '../../src/syncs/tap-read-error.js';
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

  it('reads the other taps after one has failed: partial_success', async () => {
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

describe('a full read without many records of the table', () => {
  const idsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, nth) => first + nth);

  it('replaces nothing and fails a check, until the contract allows the share', async () => {
    const connection = await syncs.createConnection({ users: {} });
    const read = async (ids: readonly number[]) => {
      connection.vendor.users = async function* () {
        yield aPage(recordsOf(...ids));
      };
      await syncs.start(connection);
      await syncs.runSteps(connection);
      return syncs.run(connection, 'users');
    };
    await read(idsFrom(1, 20));
    expect(await read(idsFrom(8, 20))).toMatchObject({
      ...{ status: 'failed', error_class: 'contract' },
      error_message: expect.stringContaining('missing_rate is 0.35 (7 of 20 records)'),
    });
    expect(await syncs.idsIn(connection, 'users')).toEqual(idsFrom(1, 20));
    const [result] = await world.query(`select checks from table_quality_result order by captured_at desc limit 1`);
    expect(result?.checks).toContainEqual(expect.objectContaining({ key: 'missing_rate', status: 'FAIL' }));
    await world.query(
      `update table_contract set rules = '[{"type":"missing_rate","maxRate":0.4}]' where scope = 'tap' and table_id = (select id from catalog_table where tap_id = $1)`,
      [decodeId(connection.taps.users as string)],
    );
    expect((await read(idsFrom(8, 20))).status).toBe('succeeded');
    expect(await syncs.idsIn(connection, 'users')).toEqual(idsFrom(8, 20));
  });
});
