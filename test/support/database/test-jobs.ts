import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { migrateJobQueues } from '../../../src/database/migrate-job-queues.js';
import { createOrm } from '../../../src/database/orm.js';
import type { JobHandler, JobQueue, RunningJob } from '../../../src/kernel/jobs/job-queue.js';
import { Jobs, type JobsOptions } from '../../../src/kernel/jobs/jobs.js';
import { aDatabase } from './database.js';
import { runtimeUrlOf } from './runtime-role.js';

/** Queue options with short retry delays. */
export const FAST_RETRY_OPTIONS = { timeoutSeconds: 60, retries: { limit: 3, delaySeconds: 1, maxDelaySeconds: 1 } };

export interface TestJobs {
  /** Connection string of the owner. */
  readonly databaseUrl: string;
  /** Connection string of the runtime role. */
  readonly url: string;
  readonly orm: MikroORM;
  /** Reported errors so far. */
  readonly reports: { error: Error & { code?: string }; jobId: string | undefined }[];
  /** Creates the queues and starts the workers of one process. */
  work(kinds: readonly JobHandler[], options?: Partial<JobsOptions>): Promise<Jobs>;
  /** Enqueues jobs, but runs none. */
  readonly jobs: Jobs;
  /** Runs `work` in a transaction and commits it. */
  commit<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A database with these queues and the login of the service. */
export async function testJobs(queues: readonly JobQueue[]): Promise<TestJobs> {
  const database = await aDatabase();
  await migrateJobQueues(database.url, queues);
  const url = await runtimeUrlOf(database);
  const orm = createOrm(url);
  const reports: TestJobs['reports'] = [];
  const started: Jobs[] = [];
  const work: TestJobs['work'] = async (kinds, options) => {
    const report: JobsOptions['report'] = (error, jobId) => reports.push({ error: error as Error, jobId });
    const jobs = new Jobs({ databaseUrl: url, report, graceSeconds: 1, superviseSeconds: 1, ...options });
    started.push(jobs);
    await jobs.start(kinds);
    return jobs;
  };
  return {
    databaseUrl: database.url,
    url,
    orm,
    reports,
    work,
    jobs: await work([]),
    commit: (change) => orm.em.fork().transactional((em) => change(em as EntityManager)),
    async close() {
      await Promise.all(started.map((jobs) => jobs.stop()));
      await orm.close();
      await database.drop();
    },
  };
}

/** The limit is generous, because a busy machine takes many times as long as an idle one. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
  for (const until = Date.now() + seconds * 1_000; !(await holds()); await sleep(20))
    if (Date.now() > until) throw new Error('the condition was not met in time');
}

type Data = { name: string };

export interface RecordedRun extends RunningJob, Data {
  readonly at: number;
}

/** A handler that records each run before it does its work. */
export function recordingHandler(queue: JobQueue<Data>) {
  const runs: RecordedRun[] = [];
  const kind = (then: (run: RecordedRun) => Promise<void> | void = () => undefined): JobHandler<Data> => ({
    ...queue,
    async run(data, job) {
      const run = { ...data, ...job, at: performance.now() };
      runs.push(run);
      await then(run);
    },
  });
  return { runs, kind };
}
