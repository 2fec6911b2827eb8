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
const names = () => runs.map(({ name }) => name);
const greet = (name: string, options?: object) => test.commit((em) => test.jobs.enqueue(em, queue, { name }, options));

beforeEach(async () => {
  ({ runs, kind } = recordingHandler(queue));
  test = await testJobs([queue]);
});

afterEach(() => test.close());

describe('jobs with a key', () => {
  it('are one job while it waits; once it runs, the next one is separate', async () => {
    await greet('first', { key: 'a' });
    await greet('second', { key: 'a' });
    await greet('other', { key: 'b' });
    await test.work([kind(() => sleep(500))]);
    await waitUntil(() => runs.length === 2);
    await greet('third', { key: 'a' });
    await waitUntil(() => runs.length === 3);
    expect(names().sort()).toEqual(['first', 'other', 'third']);
  });

  it('start at the earliest requested time', async () => {
    const startOf = async () => {
      const [row] = await queryAsOwner(
        test,
        'select extract(epoch from start_after - now())::float8 as seconds from taproot_jobs.job',
      );
      return Math.round(row?.seconds / 10);
    };
    await greet('Ada', { key: 'a', startAfter: 600 });
    await greet('Ada', { key: 'a', startAfter: 1_200 });
    expect(await startOf()).toBe(60);
    await greet('Ada', { key: 'a', startAfter: new Date(Date.now() + 300_000) });
    expect(await startOf()).toBe(30);
    await test.work([kind()]);
    await greet('Ada', { key: 'a' });
    await waitUntil(() => runs.length === 1);
  });

  it('are one job if many transactions enqueue them concurrently', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, nth) => greet(`${nth}`, { key: 'a' })));
    expect(await queryAsOwner(test, 'select state from taproot_jobs.job')).toEqual([{ state: 'created' }]);
  });

  it('do not start before the transaction that enqueued them again', async () => {
    await greet('Ada', { key: 'a', startAfter: 1 });
    await test.commit(async (em) => {
      await test.jobs.enqueue(em, queue, { name: 'Ada' }, { key: 'a', startAfter: 600 });
      await test.work([kind()]);
      await sleep(3_500);
      expect(runs).toEqual([]);
    });
    await waitUntil(() => runs.length > 0);
    expect(names()).toEqual(['Ada']);
  });
});
