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
const greet = (name: string) => test.commit((em) => test.jobs.enqueue(em, queue, { name }));

beforeEach(async () => {
  ({ runs, kind } = recordingHandler(queue));
  test = await testJobs([queue]);
});

afterEach(() => test.close());

describe('a job that fails', () => {
  it('is retried, and its error is reported', async () => {
    await test.work([
      kind(({ attempt }) => {
        if (attempt < 3) throw new Error('not yet');
      }),
    ]);
    await greet('Ada');
    await waitUntil(() => runs.length === 3);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const { id } = runs[0] as RecordedRun;
    expect(test.reports.map(({ error, jobId }) => [error.message, jobId])).toEqual(Array(2).fill(['not yet', id]));
  });

  it('is not retried after its last attempt, and its error is not stored', async () => {
    const once = { ...queue, name: 'once', retries: { limit: 0, delaySeconds: 1, maxDelaySeconds: 1 } };
    await test.close();
    test = await testJobs([once]);
    await test.work([
      { ...kind(() => Promise.reject(Object.assign(new Error('key sk_live_1'), { secret: 'sk_live_2' }))), ...once },
    ]);
    await test.commit((em) => test.jobs.enqueue(em, once, { name: 'Ada' }));
    await waitUntil(() => test.reports.length > 0);
    await sleep(3_000);
    expect(names()).toEqual(['Ada']);
    const [kept] = await queryAsOwner(test, 'select state, to_jsonb(job)::text as text from taproot_jobs.job');
    expect(kept?.state).toBe('failed');
    expect(kept?.text).not.toContain('sk_live');
  });

  it('is aborted at its timeout and retried', async () => {
    const slow = { ...queue, name: 'slow', timeoutSeconds: 1 };
    await test.close();
    test = await testJobs([slow]);
    const signals: boolean[] = [];
    const untilAborted = async ({ signal, attempt }: RecordedRun) => {
      if (attempt > 1) return;
      await sleep(30_000, undefined, { signal }).catch(() => undefined);
      signals.push(signal.aborted);
    };
    await test.work([{ ...kind(untilAborted), ...slow }]);
    await test.commit((em) => test.jobs.enqueue(em, slow, { name: 'Ada' }));
    await waitUntil(() => runs.length === 2);
    expect(signals).toEqual([true]);
  });
});
