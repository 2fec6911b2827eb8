import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FAST_RETRY_OPTIONS,
  type RecordedRun,
  recordingHandler,
  type TestJobs,
  testJobs,
  waitUntil,
} from '../support/database/test-jobs.js';

const queue = { name: 'greet', ...FAST_RETRY_OPTIONS, concurrency: 3 };

/** So long that a worker only fetches jobs after a notification. */
const NEVER = { pollSeconds: 600 };

let test: TestJobs;
let runs: RecordedRun[];
let kind: ReturnType<typeof recordingHandler>['kind'];
const names = () => runs.map(({ name }) => name);
const greet = (name: string, options?: object) => test.commit((em) => test.jobs.enqueue(em, queue, { name }, options));

beforeEach(async () => {
  ({ runs, kind } = recordingHandler(queue));
  test = await testJobs([queue]);
});

afterEach(() => test.close());

describe('a job', () => {
  it('starts with its data when the transaction that enqueued it commits', async () => {
    await test.work([kind()], NEVER);
    for (const name of ['a', 'b', 'c']) {
      await sleep(400); // from now on, workers only react to notifications
      await greet(name);
      await waitUntil(() => names().includes(name));
    }
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(runs[0]).toMatchObject({ attempt: 1, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('is part of its transaction: it never runs after a rollback, nor before the commit', async () => {
    await test.work([kind()]);
    const rolledBack = test.commit(async (em) => {
      await test.jobs.enqueue(em, queue, { name: 'nobody' });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await test.commit(async (em) => {
      await test.jobs.enqueue(em, queue, { name: 'Ada' });
      await sleep(2_500);
      expect(runs).toEqual([]);
    });
    await waitUntil(() => runs.length > 0);
    expect(names()).toEqual(['Ada']);
  });

  it('cannot be enqueued outside a transaction', async () => {
    const refused = test.jobs.enqueue(test.orm.em.fork(), queue, { name: 'Ada' });
    await expect(refused).rejects.toThrow('a job of the queue greet must be enqueued in a transaction');
  });

  it('does not start before its start time', async () => {
    await test.work([kind()]);
    const startedAt = performance.now();
    await greet('in seconds', { startAfter: 2 });
    await greet('at a time', { startAfter: new Date(Date.now() + 2_000) });
    await waitUntil(() => runs.length === 2);
    for (const { at } of runs) expect(at - startedAt).toBeGreaterThan(1_900);
  });

  it('runs within the concurrency limit of the process, and the next one follows immediately', async () => {
    let atOnce = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const brief = kind(async () => {
      most = Math.max(most, ++atOnce);
      if (most === 3) full.resolve();
      await full.promise; // fetching that many jobs is slow
      await sleep(100);
      atOnce -= 1;
    });
    for (let nth = 0; nth < 9; nth++) await greet(`${nth}`);
    await test.work([brief], NEVER); // gets no notification of existing jobs
    await waitUntil(() => runs.length === 9 && atOnce === 0);
    expect(most).toBe(3);
  });
});
