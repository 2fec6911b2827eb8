import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryAsOwner } from '../support/database/owner-queries.js';
import {
  FAST_RETRY_OPTIONS,
  type RecordedRun,
  recordingHandler,
  type TestJobs,
  testJobs,
  waitUntil,
} from '../support/database/test-jobs.js';

const queue = { name: 'greet', ...FAST_RETRY_OPTIONS, concurrency: 3 };

let test: TestJobs;
let runs: RecordedRun[];
let kind: ReturnType<typeof recordingHandler>['kind'];
const greet = (name: string) => test.commit((em) => test.jobs.enqueue(em, queue, { name }));

beforeEach(async () => {
  ({ runs, kind } = recordingHandler(queue));
  test = await testJobs([queue]);
});

afterEach(() => test.close());

describe('stopping the job queue', () => {
  it('waits for running jobs and starts no others', async () => {
    let ended = 0;
    const mayEnd = Promise.withResolvers<void>();
    const waiting = kind(async () => {
      await mayEnd.promise;
      ended += 1;
    });
    const worker = await test.work([waiting], { graceSeconds: 30 });
    for (const name of ['a', 'b', 'c', 'd']) await greet(name);
    await waitUntil(() => runs.length === 3);
    const stopped = worker.stop();
    await sleep(300);
    mayEnd.resolve();
    await stopped;
    await sleep(300);
    expect([runs.length, ended]).toEqual([3, 3]);
    const states = await queryAsOwner(
      test,
      'select state, count(*)::int as n from taproot_jobs.job group by 1 order by 1',
    );
    expect(states).toEqual([
      { state: 'created', n: 1 },
      { state: 'completed', n: 3 },
    ]);
  });

  it('aborts jobs after the grace period, and another process retries them', async () => {
    const ends: string[] = [];
    const worker = await test.work([
      kind(async ({ signal }) => {
        await sleep(90_000, undefined, { signal }).catch(() => undefined);
        await sleep(200);
        ends.push('ended');
      }),
    ]);
    await greet('Ada');
    await waitUntil(() => runs.length === 1);
    const startedAt = performance.now();
    await worker.stop();
    expect(ends).toEqual(['ended']);
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(seconds).toBeGreaterThan(0.9);
    expect(seconds).toBeLessThan(30);
    await test.work([kind()]);
    await waitUntil(() => runs.length === 2);
    expect(runs[1]).toMatchObject({ name: 'Ada', attempt: 2, id: (runs[0] as RecordedRun).id });
  });

  it('lets requests in progress enqueue jobs', async () => {
    const worker = await test.work([kind()]);
    await worker.stop();
    await test.commit((em) => worker.enqueue(em, queue, { name: 'Ada' }, { key: 'a' }));
    await test.commit((em) => worker.enqueue(em, queue, { name: 'Ada' }, { key: 'a' }));
    expect(await queryAsOwner(test, 'select data from taproot_jobs.job')).toEqual([{ data: { name: 'Ada' } }]);
  });
});
