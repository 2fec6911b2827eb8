import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { captureStatements } from '../support/database/captured-statements.js';
import { aQueue, type RecordedRun, testJobs, waitUntil } from '../support/database/test-jobs.js';

/** Longer than any test, so that workers fetch jobs only at their start and after notifications. */
const NEVER = { pollSeconds: 600 };

/** With the default polling interval of these tests, each worker polls at least once in this time. */
const ONE_POLL_MS = 1_500;

const greetings = aQueue('greet', { concurrency: 3 });
const once = aQueue('once', { retries: { limit: 0, delaySeconds: 1, maxDelaySeconds: 0 } });
const slow = aQueue('slow', { timeoutSeconds: 1 });

const { jobs, orm, query, commit, runs, reports, names, enqueue, handler, work } = await testJobs(
  greetings,
  once,
  slow,
);

describe('a job', () => {
  it('starts with its data when the transaction that enqueued it commits', async () => {
    await work([handler()], NEVER);
    for (const name of ['a', 'b', 'c']) {
      await sleep(200); // The workers have polled once, and now react only to notifications.
      await enqueue(name);
      await waitUntil(() => names().includes(name));
    }
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(runs[0]).toMatchObject({ attempt: 1, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('runs only after its transaction commits', async () => {
    await work([handler()]);
    const rolledBack = commit(async (em) => {
      await jobs.enqueue(em, greetings, { name: 'nobody' });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await commit(async (em) => {
      await jobs.enqueue(em, greetings, { name: 'Ada' });
      await sleep(ONE_POLL_MS);
      expect(runs).toEqual([]);
    });
    await waitUntil(() => runs.length > 0);
    expect(names()).toEqual(['Ada']);
  });

  it('cannot be enqueued outside a transaction', async () => {
    const rejected = jobs.enqueue(orm.em.fork(), greetings, { name: 'Ada' });
    await expect(rejected).rejects.toThrow('a job of the queue greet must be enqueued in a transaction');
  });

  it('does not start before its start time', async () => {
    await work([handler()]);
    const startedAt = performance.now();
    await enqueue('in seconds', { startAfter: 1 });
    await enqueue('at a time', { startAfter: new Date(Date.now() + 1_000) });
    await waitUntil(() => runs.length === 2);
    for (const { at } of runs) expect(at - startedAt).toBeGreaterThan(900);
  });

  it('with a higher priority starts first', async () => {
    await enqueue('later');
    await enqueue('first', { priority: 1 });
    await work([handler(undefined, { ...greetings, concurrency: 1 })]);
    await waitUntil(() => runs.length === 2);
    expect(names()).toEqual(['first', 'later']);
  });

  it('runs within the concurrency limit of the process, and the next job follows immediately', async () => {
    let atOnce = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const brief = handler(async () => {
      most = Math.max(most, ++atOnce);
      if (most === 3) full.resolve();
      await full.promise; // The workers need some time to fetch 3 jobs.
      await sleep(100);
      atOnce -= 1;
    });
    for (let nth = 0; nth < 9; nth++) await enqueue(`${nth}`);
    // No notification reports the existing jobs. The workers find them when they start.
    await work([brief], NEVER);
    await waitUntil(() => runs.length === 9 && atOnce === 0);
    expect(most).toBe(3);
  });
});

describe('jobs with a key', () => {
  it('are one job while it waits; once it runs, the next job is separate', async () => {
    await enqueue('first', { key: 'a' });
    await enqueue('second', { key: 'a' });
    await enqueue('other', { key: 'b' });
    const mayEnd = Promise.withResolvers<void>();
    await work([handler(() => mayEnd.promise)]);
    await waitUntil(() => runs.length === 2);
    await enqueue('third', { key: 'a' });
    await waitUntil(() => runs.length === 3);
    mayEnd.resolve();
    expect(names().sort()).toEqual(['first', 'other', 'third']);
  });

  it('start at the earliest requested time', async () => {
    const startOf = async () => {
      const [row] = await query(
        'select extract(epoch from start_after - now())::float8 as seconds from taproot_jobs.job',
      );
      return Math.round(row?.seconds / 10);
    };
    await enqueue('Ada', { key: 'a', startAfter: 600 });
    await enqueue('Ada', { key: 'a', startAfter: 1_200 });
    expect(await startOf()).toBe(60);
    await enqueue('Ada', { key: 'a', startAfter: new Date(Date.now() + 300_000) });
    expect(await startOf()).toBe(30);
    await work([handler()]);
    await enqueue('Ada', { key: 'a' });
    await waitUntil(() => runs.length === 1);
  });

  it('are one job if many transactions enqueue them concurrently', async () => {
    const options = (nth: number) => ({ key: 'a', isNewKey: nth % 2 === 0 });
    await Promise.all(Array.from({ length: 20 }, (_, nth) => enqueue(`${nth}`, options(nth))));
    expect(await query('select state from taproot_jobs.job')).toEqual([{ state: 'created' }]);
  });

  it('do not start before the transaction that enqueued them again has ended', async () => {
    await enqueue('Ada', { key: 'a' });
    await commit(async (em) => {
      await jobs.enqueue(em, greetings, { name: 'Ada' }, { key: 'a', startAfter: 600 });
      await work([handler()]);
      await sleep(ONE_POLL_MS);
      expect(runs).toEqual([]);
    });
    await waitUntil(() => runs.length > 0);
    expect(names()).toEqual(['Ada']);
  });
});

describe('a job that fails', () => {
  it('is retried, and its error is reported', async () => {
    await work([
      handler(({ attempt }) => {
        if (attempt < 3) throw new Error('not yet');
      }),
    ]);
    await enqueue('Ada');
    await waitUntil(() => runs.length === 3);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const { id } = runs[0] as RecordedRun;
    expect(reports.map(({ error, jobId }) => [error.message, jobId])).toEqual(Array(2).fill(['not yet', id]));
  });

  it('is not retried after its last attempt, and its error is not stored', async () => {
    const error = Object.assign(new Error('key sk_live_1'), { secret: 'sk_live_2' });
    await work([handler(() => Promise.reject(error), once)]);
    await enqueue('Ada', {}, once);
    await waitUntil(() => reports.length > 0);
    await sleep(ONE_POLL_MS);
    expect(names()).toEqual(['Ada']);
    const [kept] = await query('select state, to_jsonb(job)::text as text from taproot_jobs.job');
    expect(kept?.state).toBe('failed');
    expect(kept?.text).not.toContain('sk_live');
  });

  it('is aborted at its timeout and retried', async () => {
    const signals: boolean[] = [];
    const untilAborted = async ({ signal, attempt }: RecordedRun) => {
      if (attempt > 1) return;
      await sleep(30_000, undefined, { signal }).catch(() => undefined);
      signals.push(signal.aborted);
    };
    await work([handler(untilAborted, slow)]);
    await enqueue('Ada', {}, slow);
    await waitUntil(() => runs.length === 2);
    expect(signals).toEqual([true]);
  });
});

describe('finished jobs', () => {
  it('are kept for a week', async () => {
    const finishDaysAgo = (days: number) =>
      query(
        `update taproot_jobs.job set state = 'completed', completed_on = now() - $1 * interval '1 day' where state = 'created'`,
        [days],
      );
    await enqueue('old');
    await finishDaysAgo(8);
    await enqueue('recent');
    await finishDaysAgo(6);
    // Makes maintenance due, because the workers of other tests have already maintained the queue.
    await query('update taproot_jobs.queue set maintain_on = null');
    await work([handler()]);
    const left = () => query(`select data->>'name' as name from taproot_jobs.job`);
    await waitUntil(async () => (await left()).length < 2);
    expect(await left()).toEqual([{ name: 'recent' }]);
    expect(reports).toEqual([]);
  });
});

describe('a process without workers', () => {
  it('sends no queries on its own', async () => {
    await work([]);
    expect(await captureStatements(() => sleep(2_000), orm.config.get('dbName'))).toEqual([]);
  });
});
