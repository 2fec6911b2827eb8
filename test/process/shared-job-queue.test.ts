import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAST_RETRY_OPTIONS, type TestJobs, testJobs, waitUntil } from '../support/database/test-jobs.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';

const short = { name: 'short', ...FAST_RETRY_OPTIONS };
const long = { name: 'long', ...FAST_RETRY_OPTIONS, timeoutSeconds: 600, heartbeatSeconds: 10 };

let test: TestJobs;
let workers: TestProcess[];

beforeEach(async () => {
  test = await testJobs([short, long]);
  workers = [];
});

afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all(workers.map((worker) => worker.ends()));
  await test.close();
});

async function aWorker(): Promise<TestProcess> {
  const worker = aProcess({ DATABASE_URL: test.url }, 'test/support/processes/job-worker.js');
  workers.push(worker);
  await worker.prints(/ready/);
  return worker;
}

const greet = (queue: { name: string; timeoutSeconds: number }, name: string) =>
  test.commit((em) => test.jobs.enqueue(em, queue, { name }));

describe('processes that share a queue', () => {
  it('run each job once and share the work', async () => {
    const twins = await Promise.all([aWorker(), aWorker()]);
    const runs = () => twins.map((twin) => twin.output().match(/^short .* 1$/gm) ?? []);
    let jobs = 0;
    while (runs().some(({ length }) => length === 0)) {
      await test.commit(async (em) => {
        for (let nth = 0; nth < 300; nth++) await test.jobs.enqueue(em, short, { name: `${jobs++}` });
      });
      await waitUntil(() => runs().flat().length >= jobs);
    }
    await sleep(500);
    expect(new Set(runs().flat()).size).toBe(jobs);
    expect(runs().flat()).toHaveLength(jobs);
  });

  it('take over the jobs of a killed process', async () => {
    const first = await aWorker();
    await greet(long, 'Ada');
    const [, id] = await first.prints(/long (\S+) 1/);
    const second = await aWorker();
    first.child.kill('SIGKILL');
    await waitUntil(() => second.output().includes(`long ${id} 2`));
  });
});
