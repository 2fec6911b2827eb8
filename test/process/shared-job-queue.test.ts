import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { aQueue, testJobs, waitUntil } from '../support/database/test-jobs.js';
import { aProcess, type TestProcess } from '../support/processes/test-process.js';

const short = aQueue('short');
const long = aQueue('long', { timeoutSeconds: 600, heartbeatSeconds: 10 });

const workers: TestProcess[] = [];

// Must be registered before the hooks of `testJobs`, because these hooks delete the jobs.
afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.ends()));
});

const { url, jobs, commit, enqueue } = await testJobs(short, long);

async function aWorker(): Promise<TestProcess> {
  const worker = aProcess({ DATABASE_URL: url }, 'test/support/processes/job-worker.js');
  workers.push(worker);
  await worker.prints(/ready/);
  return worker;
}

describe('processes that share a queue', () => {
  it('run each job once and share the work', async () => {
    const both = await Promise.all([aWorker(), aWorker()]);
    const runs = () => both.map((worker) => worker.output().match(/^short .* 1$/gm) ?? []);
    let enqueued = 0;
    while (runs().some(({ length }) => length === 0)) {
      await commit(async (em) => {
        for (let nth = 0; nth < 300; nth++) await jobs.enqueue(em, short, { name: `${enqueued++}` });
      });
      await waitUntil(() => runs().flat().length >= enqueued);
    }
    await sleep(500);
    expect(new Set(runs().flat()).size).toBe(enqueued);
    expect(runs().flat()).toHaveLength(enqueued);
  });

  it('take over the jobs of a killed process', async () => {
    const first = await aWorker();
    await enqueue('Ada', {}, long);
    const [, id] = await first.prints(/long (\S+) 1/);
    const second = await aWorker();
    first.child.kill('SIGKILL');
    await waitUntil(() => second.output().includes(`long ${id} 2`));
  });
});
