import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createOrm } from '../../src/database/orm.js';
import { DatabaseUnavailable } from '../../src/kernel/errors.js';
import { JobQueueError } from '../../src/kernel/jobs/jobs.js';
import { aSeverableProxy } from '../support/database/severable-proxy.js';
import { aQueue, type RecordedRun, testJobs, waitUntil } from '../support/database/test-jobs.js';

const queue = aQueue('greet', { concurrency: 3 });

const { url, jobs, query, commit, runs, reports, enqueue, handler, work } = await testJobs(queue);

describe('stopping the job queue', () => {
  it('waits for running jobs and starts no other jobs', async () => {
    let ended = 0;
    const mayEnd = Promise.withResolvers<void>();
    const waiting = handler(async () => {
      await mayEnd.promise;
      ended += 1;
    });
    const worker = await work([waiting], { graceSeconds: 30 });
    for (const name of ['a', 'b', 'c', 'd']) await enqueue(name);
    await waitUntil(() => runs.length === 3);
    const stopped = worker.stop();
    await sleep(300);
    mayEnd.resolve();
    await stopped;
    await sleep(300);
    expect([runs.length, ended]).toEqual([3, 3]);
    const states = await query('select state, count(*)::int as n from taproot_jobs.job group by 1 order by 1');
    expect(states).toEqual([
      { state: 'created', n: 1 },
      { state: 'completed', n: 3 },
    ]);
  });

  it('aborts jobs after the grace period, and another process retries them', async () => {
    const aborted: boolean[] = [];
    const worker = await work([
      handler(async ({ signal }) => {
        await sleep(90_000, undefined, { signal }).catch(() => undefined);
        await sleep(200);
        aborted.push(signal.aborted);
      }),
    ]);
    await enqueue('Ada');
    await waitUntil(() => runs.length === 1);
    const startedAt = performance.now();
    await worker.stop();
    expect(aborted).toEqual([true]);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    await work([handler()]);
    await waitUntil(() => runs.length === 2);
    expect(runs[1]).toMatchObject({ name: 'Ada', attempt: 2, id: (runs[0] as RecordedRun).id });
  });

  it('lets requests in progress enqueue jobs', async () => {
    const worker = await work([handler()]);
    await worker.stop();
    await commit((em) => worker.enqueue(em, queue, { name: 'Ada' }, { key: 'a' }));
    await commit((em) => worker.enqueue(em, queue, { name: 'Ada' }, { key: 'a' }));
    expect(await query('select data from taproot_jobs.job')).toEqual([{ data: { name: 'Ada' } }]);
  });
});

describe('a database outage', () => {
  it('stops no process, is reported once, and the workers recover', async () => {
    const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
    const proxy = await aSeverableProxy(url);
    await work([handler()], { databaseUrl: proxy.url });
    await enqueue('before');
    await waitUntil(() => runs.length === 1);
    proxy.cut();
    await sleep(2_500); // At least two polls fail during this time.
    await enqueue('meanwhile');
    expect(runs).toHaveLength(1);
    proxy.mend();
    await waitUntil(() => runs.length === 2);
    await enqueue('after');
    await waitUntil(() => runs.length === 3);
    expect(reports).toEqual([{ error: expect.any(JobQueueError), jobId: undefined }]);
    for (const print of printed) expect(print).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    proxy.close();
  });

  it('terminates the sessions of the workers, and they reconnect', async () => {
    await work([handler()]);
    const ended = await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pgboss'`,
    );
    expect(ended.length).toBeGreaterThan(1); // One of the database sessions listens for notifications.
    await enqueue('Ada');
    await waitUntil(() => runs.length === 1);
  });

  it('throws for callers that enqueue jobs during the outage', async () => {
    const proxy = await aSeverableProxy(url);
    const orm = createOrm(proxy.url);
    const em = orm.em.fork();
    await em.begin();
    proxy.cut();
    await expect(jobs.enqueue(em, queue, { name: 'Ada' })).rejects.toThrow(DatabaseUnavailable);
    await em.rollback().catch(() => undefined);
    await orm.close(true);
    proxy.close();
  });
});
