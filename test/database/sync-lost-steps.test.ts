import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { LeaseLost } from '../../src/kernel/concurrency/lease.js';
import { decodeId, encodeId } from '../../src/kernel/ids.js';
import type { Jobs } from '../../src/kernel/jobs/jobs.js';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { closeOpenRuns } from '../../src/syncs/lifecycle/close-tap-run.js';
import { NO_COUNTS } from '../../src/syncs/run-counts.js';
import { beginStep } from '../../src/syncs/steps/begin-step.js';
import { StepLog } from '../../src/syncs/steps/step-log.js';
import { tapRunEnded } from '../../src/syncs/sync-events.js';
import type { TapRunStep } from '../../src/syncs/tap-run-timeline.js';
import { systemCaller, writeAsCaller } from '../../src/tenancy/workspace-transaction.js';
import { captureStatements } from '../support/database/captured-statements.js';
import {
  inPages,
  onlyOnce,
  recordsOf,
  type SyncedConnection,
  syncedTaps,
  waitError,
} from '../support/syncs/synced-taps.js';
import { withFileStore } from '../support/tables/loaded-tables.js';

const syncs = await syncedTaps();
const { world } = syncs;

describe('a step that is lost', () => {
  it.each([0, 1, 2])('at page %i is repeated without loss and duplicates', async (page) => {
    for (const mode of ['full', 'incremental'] as const) {
      const connection = await syncs.createConnection({ users: { sync: { mode } } });
      connection.vendor.users = inPages(
        () => recordsOf(1, 2, 3),
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
      () => recordsOf(1, 2),
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
        () => recordsOf(1, 2, 3),
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

  it('that commits releases the lease of the table in its transaction', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1, 2), onlyOnce(waitError, 1));
    await syncs.start(connection);
    const [job] = await syncs.waitingSteps(connection);
    const statements = await captureStatements(() => syncs.step(job?.data));
    const released = statements.findIndex((text) => text.includes('writer = null'));
    const later = statements.slice(released);
    expect(later.filter((text) => text === 'commit')).toHaveLength(1);
    expect(later.some((text) => text.includes('insert into tap_run_log'))).toBe(true);
  });

  it('begins with the committed changes of a concurrent transaction, or not at all if another writer has the table', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(() => recordsOf(1, 2));
    await syncs.start(connection);
    const { tenantId } = connection;
    const { em, tables } = world.services;
    const { id } = await syncs.run(connection, 'users');
    const data = { tenantId, runId: encodeId(id) as string };
    const job = { id: randomUUID(), attempt: 1, signal: new AbortController().signal };
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'for update of i, r'";
    const begin = await runTenantTransaction(em, tables, tenantId, async (tx) => {
      await tx.em.execute('update tap_run set slices_total = 6 where id = ?', [id]);
      const beginning = beginStep(world.services, data, job);
      await vi.waitFor(async () => expect(await world.query(waiting)).not.toEqual([]));
      await tx.em.execute('update tap_run set slices_total = 7 where id = ?', [id]);
      return { beginning };
    });
    expect(await begin.beginning).toMatchObject({ loaded: { run: { slicesTotal: 7 } } });
    expect(await beginStep(world.services, data, job)).toBe('taken');
    const statements = await captureStatements(() => syncs.step(data));
    expect(statements.filter((text) => text.startsWith('begin')).length).toBeLessThan(10);
  });

  it('while it writes its files is repeated without duplicates', async () => {
    const connection = await syncs.createConnection({ users: { sync: { mode: 'incremental' } } });
    connection.vendor.users = inPages(() => recordsOf(1, 2));
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
    connection.vendor.users = inPages(() => recordsOf(1, 2), onlyOnce(waitError, 1));
    const jobs: Jobs = Object.create(world.services.jobs);
    jobs.enqueue = async (em, queue, ...rest) => {
      // The service enqueues the step with the last statement of the transaction.
      if (queue.name === 'sync-tap-step') throw new Error('killed');
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

  it('for an unknown reason six times fails the tap, with longer and longer delays', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(
      () => recordsOf(1),
      () => {
        throw new Error('unexpected');
      },
    );
    const reported: unknown[] = [];
    const using = syncs.servicesWith({ ...world.services, report: (error) => reported.push(error) });
    const job = await syncs.start(connection);
    const delays: number[] = [];
    for (let attempt = 1; attempt < 6; attempt++) {
      await expect(syncs.runSteps(connection, { using })).rejects.toThrow('unexpected');
      const [{ delay } = {}] = await world.query(
        `update tap_run r set not_before = null from tap_run before where r.id = before.id and r.tap_id = $1
         returning round(extract(epoch from before.not_before - before.updated_at))::int as delay`,
        [decodeId(connection.taps.users as string)],
      );
      delays.push(delay);
    }
    expect(delays).toEqual([null, 2, 4, 8, 16]);
    await syncs.runSteps(connection, { using });
    expect(await syncs.job(job)).toMatchObject({
      status: 'failed',
      error_class: 'internal',
      error_code: 'runner_error',
    });
    expect(reported).toHaveLength(1);
  });

  it('reports the end of its run only after the commit', async () => {
    const connection = await syncs.createConnection({ users: {} });
    const job = await syncs.start(connection);
    const { em, tables } = world.services;
    const ended: object[] = [];
    const unsubscribe = tapRunEnded.subscribe((event) => ended.push(event));
    const lost = writeAsCaller(em, tables, systemCaller(connection.tenantId), randomUUID(), async (tx) => {
      await closeOpenRuns(tx, world.services, job, { status: 'cancelled' });
      throw new Error('lost');
    });
    await expect(lost).rejects.toThrow('lost');
    expect(ended).toEqual([]);
    await syncs.cancel(connection, job);
    expect(ended).toEqual([{ status: 'cancelled', errorClass: undefined }]);
    unsubscribe();
  });

  it('succeeds after any number of killed workers, and a failure', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(
      () => recordsOf(1),
      onlyOnce(() => new Error('unexpected'), 0),
    );
    const job = await syncs.start(connection);
    await expect(syncs.runSteps(connection, { attempt: 200 })).rejects.toThrow('unexpected');
    await syncs.runSteps(connection, { attempt: 201 });
    expect(await syncs.job(job)).toMatchObject({ status: 'succeeded' });
  });

  it('counts failures since its last commit', async () => {
    const connection = await syncs.createConnection({ users: {} });
    const [kill, wait] = [onlyOnce(() => new Error('unexpected'), 0), onlyOnce(waitError, 1)];
    connection.vendor.users = inPages(
      () => recordsOf(1, 2),
      (offset) => {
        kill(offset);
        wait(offset);
      },
    );
    await syncs.start(connection);
    await expect(syncs.runSteps(connection)).rejects.toThrow('unexpected');
    expect(await syncs.run(connection, 'users')).toMatchObject({ failed_attempts: 1 });
    await syncs.runSteps(connection);
    expect(await syncs.run(connection, 'users')).toMatchObject({ failed_attempts: 0 });
  });
});

describe('the timeline of a tap run', () => {
  const logOf = async (connection: SyncedConnection): Promise<{ steps: TapRunStep[]; requests: object[] }> => {
    const { id } = await syncs.run(connection, 'users');
    const [log] = await world.query('select steps, requests from tap_run_log where tap_run_id = $1', [id]);
    return log as never;
  };

  it('has the steps that stored rows, waited, failed and were repeated', async () => {
    const connection = await syncs.createConnection({ users: {} });
    const [wait, kill] = [onlyOnce(waitError, 1), onlyOnce(() => new Error('killed'), 2)];
    connection.vendor.users = inPages(
      () => recordsOf(1, 2, 3),
      (offset) => {
        wait(offset);
        kill(offset);
      },
    );
    await syncs.start(connection);
    await expect(syncs.runSteps(connection)).rejects.toThrow('killed');
    await syncs.runSteps(connection);
    const { steps, requests } = await logOf(connection);
    expect(steps).toMatchObject([
      { outcome: 'waiting', recordsRead: 1, recordsWritten: 1, requests: 1, errorClass: 'rate_limited' },
      { outcome: 'retried', recordsRead: 1, recordsWritten: 0, requests: 1, errorClass: 'internal' },
      { outcome: 'completed', recordsRead: 2, recordsWritten: 2, requests: 2, slicesDone: 1 },
    ]);
    expect(Date.parse(`${steps[0]?.waitUntil}`)).toBeGreaterThan(Date.parse(`${steps[0]?.startedAt}`));
    expect(JSON.stringify(steps)).not.toContain('killed');
    expect(requests).toHaveLength(4);
  });

  it('has the latest 50 requests and 50 steps, and is written once per step', async () => {
    const connection = await syncs.createConnection({ users: {} });
    connection.vendor.users = inPages(
      () => recordsOf(...Array.from({ length: 60 }, (_, nth) => nth)),
      onlyOnce(waitError, 55),
    );
    await syncs.start(connection);
    const saving = vi.spyOn(StepLog.prototype, 'save');
    await syncs.runSteps(connection);
    expect(saving).toHaveBeenCalledTimes(2);
    const { id, tenant_id } = await syncs.run(connection, 'users');
    expect((await logOf(connection)).requests).toHaveLength(50);
    const { em, tables } = world.services;
    const [tenantId, runId] = [encodeId(tenant_id), encodeId(id)];
    await runTenantTransaction(em, tables, tenantId, async (tx) => {
      for (let nth = 0; nth < 60; nth++)
        await new StepLog().save(
          tx.em,
          { tenantId, runId },
          { outcome: 'continued', counts: { ...NO_COUNTS, slicesDone: nth } },
        );
    });
    const { steps } = await logOf(connection);
    expect(steps.map(({ slicesDone }) => slicesDone)).toEqual(Array.from({ length: 50 }, (_, nth) => nth + 10));
  });
});
