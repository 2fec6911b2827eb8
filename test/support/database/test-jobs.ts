import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, afterEach } from 'vitest';
import { migrateJobQueues } from '../../../src/database/migrate-job-queues.js';
import { createOrm } from '../../../src/database/orm.js';
import type { EnqueueOptions } from '../../../src/kernel/jobs/enqueue-job.js';
import type { JobHandler, JobQueue, RunningJob } from '../../../src/kernel/jobs/job-queue.js';
import { Jobs, type JobsOptions } from '../../../src/kernel/jobs/jobs.js';
import { aDatabase } from './database.js';
import { queryAsOwner } from './owner-queries.js';
import { runtimeUrlOf } from './runtime-role.js';

type Data = { name: string };

/** Retries failed jobs immediately. */
export function aQueue(name: string, options: Partial<JobQueue<Data>> = {}): JobQueue<Data> {
  return { name, timeoutSeconds: 60, retries: { limit: 3, delaySeconds: 1, maxDelaySeconds: 0 }, ...options };
}

export interface RecordedRun extends RunningJob, Data {
  /** Start of the run, as `performance.now()`. */
  readonly at: number;
}

interface ReportedError {
  readonly error: Error & { code?: string };
  readonly jobId: string | undefined;
}

/** Uses a new database for one test file. Stops all workers and deletes all jobs after each test. */
export async function testJobs(...queues: readonly [JobQueue<Data>, ...JobQueue<Data>[]]) {
  const [firstQueue] = queues;
  const database = await aDatabase();
  await migrateJobQueues(database.url, queues);
  const url = await runtimeUrlOf(database);
  const orm = createOrm(url);
  const jobs = new Jobs({ databaseUrl: url, report: () => undefined });
  await jobs.start([]);

  const workers: Jobs[] = [];
  const runs: RecordedRun[] = [];
  const reports: ReportedError[] = [];
  const report: JobsOptions['report'] = (error, jobId) => reports.push({ error: error as Error, jobId });
  const commit = <Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> =>
    orm.em.fork().transactional((em) => work(em as EntityManager));
  const query = (sql: string, values?: unknown[]) => queryAsOwner({ databaseUrl: database.url }, sql, values);

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await query('delete from taproot_jobs.job');
    runs.length = 0;
    reports.length = 0;
  });
  afterAll(async () => {
    await jobs.stop();
    await orm.close();
    await database.drop();
  });

  return {
    /** Connection string of the runtime role. */
    url,
    /** Enqueues jobs, but runs none. */
    jobs,
    orm,
    query,
    commit,
    runs,
    reports,
    names: (): string[] => runs.map(({ name }) => name),
    enqueue: (name: string, options: EnqueueOptions = {}, queue = firstQueue): Promise<void> =>
      commit((em) => jobs.enqueue(em, queue, { name }, options)),
    handler: (work: (run: RecordedRun) => Promise<void> | void = () => undefined, queue = firstQueue) => ({
      ...queue,
      async run(data: Data, job: RunningJob): Promise<void> {
        const run = { ...data, ...job, at: performance.now() };
        runs.push(run);
        await work(run);
      },
    }),
    /** Starts a worker, as another process would. */
    async work(handlers: readonly JobHandler<Data>[], options: Partial<JobsOptions> = {}): Promise<Jobs> {
      const intervals = { graceSeconds: 1, superviseSeconds: 1, pollSeconds: 1 };
      const worker = new Jobs({ databaseUrl: url, report, ...intervals, ...options });
      workers.push(worker);
      await worker.start(handlers as readonly JobHandler[]);
      return worker;
    },
  };
}

/**
 * Milliseconds between two calls of `holds`. On a busy machine, calls at shorter intervals would delay the awaited
 * event.
 */
const FIRST_WAIT = 20;
const LONGEST_WAIT = 100;

/** The limit is generous, because a busy machine is many times slower than an idle one. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  for (let wait = FIRST_WAIT; !(await holds()); wait = Math.min(wait * 1.25, LONGEST_WAIT)) {
    if (Date.now() > until) throw new Error('the condition was not met in time');
    await sleep(wait);
  }
}
