import { describe, expect, it } from 'vitest';
import { LeaseLost } from '../../src/kernel/concurrency/lease.js';
import { decodeId, newId } from '../../src/kernel/ids.js';
import type { Jobs } from '../../src/kernel/jobs/jobs.js';
import { TapReadError } from '../../src/syncs/tap-read-error.js';
import type { TableHooks } from '../../src/tables/table-hooks.js';
import { aPage, inPages, syncedTaps } from '../support/syncs/synced-taps.js';
import { withFileStore } from '../support/tables/loaded-tables.js';

const syncs = await syncedTaps();
const { world } = syncs;

const records = (...ids: number[]) => ids.map((id) => ({ id }));
const waitError = () => new TapReadError('rate_limited', 'wait', 'Slow down.', { retryAfterMs: 1 });
const onlyOnce = (error: () => Error, at: number) => {
  let isThrown = false;
  return (offset: number) => {
    if (offset !== at || isThrown) return;
    isThrown = true;
    throw error();
  };
};

describe('a sync of taps that are read in full', () => {
  it('loads all pages, and a later sync replaces the rows', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => records(1, 2, 3));
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
    connection.vendor.users = inPages(() => records(3, 4));
    const second = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(second).not.toBe(first);
    expect((await syncs.job(second)).is_initial).toBe(false);
    expect(await syncs.idsIn(connection, 'users')).toEqual([3, 4]);
    expect(await world.query('select from sync_slice')).toEqual([]);
  });

  it('shows the old rows until all pages are read', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => records(1));
    await syncs.start(connection);
    await syncs.runSteps(connection);
    connection.vendor.users = inPages(() => records(2, 3), onlyOnce(waitError, 1));
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
    connection.vendor.users = inPages(() => records(2, 3), onlyOnce(waitError, 1));
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
    connection.vendor.users = inPages(() => records(1));
    await syncs.start(connection);
    await syncs.runSteps(connection);
    connection.vendor.users = inPages(
      () => records(2, 3, 4),
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
    for (const name of names) connection.vendor[name] = inPages(() => records(1));
    connection.vendor.c = inPages(
      () => records(1),
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

  it('a skipped tap and a skipped slice are no failures', async () => {
    const connection = await syncs.createConnection({ skipped: {}, part: {} });
    const failWith = (action: 'skip_tap' | 'skip_slice') => () => {
      throw new TapReadError('permission', action, 'Not licensed.');
    };
    connection.vendor.skipped = inPages(() => records(1), failWith('skip_tap'));
    connection.vendor.part = inPages(() => records(1), failWith('skip_slice'));
    const job = await syncs.start(connection);
    await syncs.runSteps(connection);
    expect(await syncs.job(job)).toMatchObject({ status: 'succeeded', error_class: null });
    expect(await syncs.run(connection, 'skipped')).toMatchObject({ status: 'skipped', error_class: 'permission' });
    expect(await syncs.run(connection, 'part')).toMatchObject({ status: 'succeeded', slices_done: 1 });
  });

  it('a rejected credential ends all runs and marks the credential', async () => {
    const connection = await syncs.createConnection({ a: {}, b: {} });
    connection.vendor.a = connection.vendor.b = inPages(
      () => records(1),
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

describe('a step that is lost', () => {
  it.each([0, 1, 2])('at page %i is repeated without loss and duplicates', async (page) => {
    for (const mode of ['full', 'incremental'] as const) {
      const connection = await syncs.createConnection({ users: { sync: { mode } } });
      connection.vendor.users = inPages(
        () => records(1, 2, 3),
        onlyOnce(() => new Error('killed'), page),
      );
      await syncs.start(connection);
      await expect(syncs.runSteps(connection)).rejects.toThrow('killed');
      await syncs.runSteps(connection);
      expect([mode, await syncs.idsIn(connection, 'users')]).toEqual([mode, [1, 2, 3]]);
      expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'succeeded', records_read: '3' });
    }
  });

  it.each(['full', 'incremental'] as const)('to another holder of the table commits nothing: %s', async (mode) => {
    const connection = await syncs.createConnection({ users: { sync: { mode } } });
    const steal = () =>
      world.query(`update catalog_table set writer = gen_random_uuid() where tap_id = $1`, [
        decodeId(connection.taps.users as string),
      ]);
    let isStolen = false;
    connection.vendor.users = inPages(
      () => records(1, 2),
      async (offset) => {
        if (offset !== 1 || isStolen) return;
        isStolen = true;
        await steal();
      },
    );
    await syncs.start(connection);
    await expect(syncs.runSteps(connection)).rejects.toThrow(LeaseLost);
    expect(await syncs.idsIn(connection, 'users')).toEqual([]);
    await world.query('update catalog_table set writer = null, writer_until = null');
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2]);
  });

  it('after a commit continues at the next page', async () => {
    for (const mode of ['full', 'incremental'] as const) {
      const connection = await syncs.createConnection({ users: { sync: { mode } } });
      const [wait, kill] = [onlyOnce(waitError, 1), onlyOnce(() => new Error('killed'), 2)];
      const read: number[] = [];
      connection.vendor.users = inPages(
        () => records(1, 2, 3),
        (offset) => {
          wait(offset);
          kill(offset);
          read.push(offset);
        },
      );
      await syncs.start(connection);
      await expect(syncs.runSteps(connection)).rejects.toThrow('killed');
      await syncs.runSteps(connection);
      expect([read, await syncs.idsIn(connection, 'users')]).toEqual([
        [0, 1, 1, 2],
        [1, 2, 3],
      ]);
      expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'succeeded', records_read: '3' });
    }
  });

  it('while it writes its files is repeated without duplicates', async () => {
    const connection = await syncs.createConnection({ users: { sync: { mode: 'incremental' } } });
    connection.vendor.users = inPages(() => records(1, 2));
    const failing = withFileStore(world.services, {
      put: () => Promise.reject(new Error('killed')),
    });
    await syncs.start(connection);
    await expect(syncs.runSteps(connection, { using: syncs.servicesWith(failing) })).rejects.toThrow('killed');
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2]);
  });

  it.each(['full', 'incremental'] as const)('in its commit leaves neither rows nor a position: %s', async (mode) => {
    const connection = await syncs.createConnection({ users: { sync: { mode } } });
    connection.vendor.users = inPages(() => records(1, 2), onlyOnce(waitError, 1));
    const jobs: Jobs = Object.create(world.services.jobs);
    jobs.enqueue = async (em, queue, ...rest) => {
      if (queue.name === 'sync-tap-step') throw new Error('killed'); // the last statement of the transaction
      return world.services.jobs.enqueue(em, queue, ...rest);
    };
    await syncs.start(connection);
    const using = syncs.servicesWith({ ...world.services, jobs });
    await expect(syncs.runSteps(connection, { using })).rejects.toThrow('killed');
    expect(await syncs.idsIn(connection, 'users')).toEqual([]);
    expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'running', committed: { recordsRead: 0 } });
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2]);
    expect(await syncs.run(connection, 'users')).toMatchObject({ status: 'succeeded', records_read: '2' });
  });

  it('for an unknown reason fails the tap in the sixth attempt', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(
      () => records(1),
      () => {
        throw new Error('unexpected');
      },
    );
    const reported: unknown[] = [];
    const using = syncs.servicesWith({ ...world.services, report: (error) => reported.push(error) });
    const job = await syncs.start(connection);
    await expect(syncs.runSteps(connection, { attempt: 5, using })).rejects.toThrow('unexpected');
    await syncs.runSteps(connection, { attempt: 6, using });
    expect(await syncs.job(job)).toMatchObject({
      status: 'failed',
      error_class: 'internal',
      error_code: 'runner_error',
    });
    expect(reported).toHaveLength(1);
  });
});

describe('the quality gate of the table', () => {
  it.each(['full', 'incremental'] as const)('fails the tap and loads nothing: %s', async (mode) => {
    const connection = await syncs.createConnection({ users: { sync: { mode } } });
    connection.vendor.users = inPages(() => records(1, 2));
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

describe('steps', () => {
  it('of one run by two workers load every record once', async () => {
    const connection = await syncs.createConnection({ users: { sync: { mode: 'incremental' } } });
    connection.vendor.users = inPages(() => records(1, 2, 3));
    await syncs.start(connection);
    const [job] = await syncs.waitingSteps(connection);
    await Promise.all([syncs.step(job?.data), syncs.step(job?.data)]);
    await syncs.runSteps(connection);
    expect(await syncs.idsIn(connection, 'users')).toEqual([1, 2, 3]);
  });

  it('with the id of another workspace do nothing', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => records(1));
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
      yield aPage(records(1), { offset: 1 });
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
    connection.vendor.a = connection.vendor.b = inPages(() => records(1));
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
