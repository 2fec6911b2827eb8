import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { decodeId, newId } from '../../src/kernel/ids.js';
import { SyncBacklog } from '../../src/syncs/runs/sync-backlog.js';
import { setSyncSchedule } from '../../src/syncs/schedules/set-sync-schedule.js';
import { startDueSyncs } from '../../src/syncs/schedules/start-due-syncs.js';
import { systemCaller, writeAsCaller } from '../../src/tenancy/workspace-transaction.js';
import { syncedTaps } from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();
const { query, services } = syncs.world;

async function dueConnections(count: number) {
  const tenantId = newId();
  const instanceIds: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const { instanceId } = await syncs.createConnection({ users: {} }, { tenantId });
    instanceIds.push(instanceId);
    await query(
      `insert into sync_schedule (id, created_at, created_by, updated_at, updated_by, tenant_id, instance_id, kind, interval_minutes, timezone, next_run_at)
       values (gen_random_uuid(), now(), $1, now(), $1, $2, $3, 'interval', 60, 'UTC', now() - interval '1 second')`,
      [randomUUID(), decodeId(tenantId), decodeId(instanceId)],
    );
  }
  const tenant = decodeId(tenantId);
  const errors: unknown[] = [];
  const report = (error: unknown) => errors.push(error);
  const job = { id: randomUUID(), attempt: 1, signal: new AbortController().signal };
  return {
    tenantId,
    instanceIds,
    errors,
    breakFirst: () =>
      query(
        `update sync_schedule set cron = 'invalid'
         where id = (select id from sync_schedule where tenant_id = $1 order by instance_id limit 1)`,
        [tenant],
      ),
    async start(): Promise<number> {
      await query(`delete from taproot_jobs.job where name = 'due-sync' and singleton_key = $1`, [tenantId]);
      await startDueSyncs({ ...services, report }, { tenantId }, job);
      const [{ started } = {}] = await query('select count(*) as started from sync_job where tenant_id = $1', [tenant]);
      return Number(started);
    },
    async nextJob(): Promise<number> {
      const jobs = await query(
        `select extract(epoch from start_after - now()) as seconds from taproot_jobs.job where name = 'due-sync' and singleton_key = $1`,
        [tenantId],
      );
      expect(jobs).toHaveLength(1);
      return Number(jobs[0]?.seconds);
    },
    async minutesLeft(): Promise<number[]> {
      const sql = `select extract(epoch from next_run_at - now()) / 60 as minutes from sync_schedule where tenant_id = $1 order by 1`;
      return (await query(sql, [tenant])).map(({ minutes }) => Number(minutes));
    },
  };
}

async function addWaitingSteps(tenantId: string, count: number): Promise<void> {
  await query(
    `insert into taproot_jobs.job (name, data, priority, group_id) select 'sync-tap-step', '{}', 1, $1 from generate_series(1, $2)`,
    [tenantId, count],
  );
}

describe('syncs that are due', () => {
  it('start 6 at a time, so that workspaces take turns', async () => {
    const due = await dueConnections(7);
    expect(await due.start()).toBe(6);
    expect(await due.nextJob()).toBeLessThanOrEqual(0);
    expect(await due.start()).toBe(7);
    const [first = 0] = await due.minutesLeft();
    expect(first).toBeGreaterThan(0);
    expect((await due.nextJob()) / 60).toBeCloseTo(first, 0);
  });

  it('start together in one transaction', async () => {
    const due = await dueConnections(3);
    expect(await due.start()).toBe(3);
    const sql = 'select distinct xmin::text from sync_job where tenant_id = $1';
    expect(await query(sql, [decodeId(due.tenantId)])).toHaveLength(1);
  });

  it('start later while more than 80 first steps of the workspace wait', async () => {
    const due = await dueConnections(2);
    await addWaitingSteps(due.tenantId, 81);
    expect(await due.start()).toBe(0);
    expect(await due.nextJob()).toBeGreaterThan(0);
    await query(`delete from taproot_jobs.job where name = 'sync-tap-step'`);
    expect(await due.start()).toBe(2);
  });

  it('start even if one start fails, and the failed start is repeated after 5 minutes', async () => {
    const due = await dueConnections(2);
    await due.breakFirst();
    expect(await due.start()).toBe(1);
    expect(due.errors).toHaveLength(1);
    expect(await due.minutesLeft()).toContainEqual(expect.closeTo(5, 0));
  });

  it('do not start if the schedule becomes external at the same time', async () => {
    const due = await dueConnections(1);
    const [instanceId = ''] = due.instanceIds;
    const { em, tables, jobs } = services;
    let starting: Promise<number> | undefined;
    await writeAsCaller(em, tables, systemCaller(due.tenantId), randomUUID(), async (tx) => {
      await setSyncSchedule(tx, jobs, { instanceId, kind: 'external' });
      starting = due.start();
      const blocked = `select from pg_stat_activity where wait_event_type = 'Lock'`;
      await expect.poll(() => query(blocked), { timeout: 10_000 }).not.toEqual([]);
    });
    expect(await starting).toBe(0);
    expect(await query('select next_run_at from sync_schedule where tenant_id = $1', [decodeId(due.tenantId)])).toEqual(
      [{ next_run_at: null }],
    );
  });

  it('start at the time of the database, although the clock of the process differs', async () => {
    const due = await dueConnections(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 61 * 60_000 });
    try {
      await addWaitingSteps(due.tenantId, 81);
      await due.start();
      expect(await due.nextJob()).toBeGreaterThan(0);
      await query(`delete from taproot_jobs.job where name = 'sync-tap-step'`);
      expect(await due.start()).toBe(1);
      const [left = 0] = await due.minutesLeft();
      expect(left).toBeGreaterThan(0);
      vi.setSystemTime(Date.now() + 122 * 60_000);
      expect(await due.start()).toBe(1);
      expect((await due.nextJob()) / 60).toBeCloseTo(left, 0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('do not start for a deleted connection', async () => {
    const due = await dueConnections(1);
    await query('update tenant_connector_instance set deleted_at = now() where tenant_id = $1', [
      decodeId(due.tenantId),
    ]);
    expect(await due.start()).toBe(0);
    const jobs = await query(`select 1 from taproot_jobs.job where singleton_key = $1`, [due.tenantId]);
    expect(jobs).toEqual([]);
  });
});

describe('work that is not urgent', () => {
  const { em } = services;
  const { signal } = new AbortController();
  const dropSteps = () => query(`delete from taproot_jobs.job where name = 'sync-tap-step'`);

  it('waits while first steps have waited for a worker for more than 5 seconds', async () => {
    await dropSteps();
    const backlog = new SyncBacklog(em, { pollMs: 10 });
    await addWaitingSteps(newId(), 1);
    await backlog.wait(signal);
    await query(`update taproot_jobs.job set start_after = now() - interval '6 seconds' where name = 'sync-tap-step'`);
    const events: string[] = [];
    const waiting = backlog.wait(signal).then(() => events.push('continued'));
    await sleep(100);
    events.push('started');
    await dropSteps();
    await waiting;
    expect(events).toEqual(['started', 'continued']);
  });

  it('does not wait for steps of a workspace that runs its maximum number of steps', async () => {
    const tenantId = newId();
    await addWaitingSteps(tenantId, 5);
    await query(`update taproot_jobs.job set start_after = now() - interval '6 seconds' where name = 'sync-tap-step'`);
    const activate = (count: number) =>
      query(
        `update taproot_jobs.job set state = 'active' where id in
         (select id from taproot_jobs.job where name = 'sync-tap-step' and state = 'created' limit $1)`,
        [count],
      );
    const backlog = new SyncBacklog(em, { pollMs: 10_000 });
    await activate(3);
    await expect(backlog.wait(AbortSignal.timeout(50))).rejects.toThrow('aborted');
    await activate(1);
    await backlog.wait(signal);
    await dropSteps();
  });

  it('continues when it has waited for the longest time, or its process stops', async () => {
    await addWaitingSteps(newId(), 1);
    await query(`update taproot_jobs.job set start_after = now() - interval '6 seconds' where name = 'sync-tap-step'`);
    const backlog = new SyncBacklog(em, { pollMs: 10, maxMs: 50 });
    await backlog.wait(signal);
    await backlog.wait(signal);
    await expect(new SyncBacklog(em).wait(AbortSignal.timeout(10))).rejects.toThrow('aborted');
    await dropSteps();
  });
});
