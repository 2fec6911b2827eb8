import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { isPooledSession } from '../pooled-session.js';
import { throttlePerMinute } from '../throttle.js';
import { type EnqueueOptions, enqueueJob, isJobUnfinished } from './enqueue-job.js';
import { runInJob } from './in-job.js';
import { HEARTBEAT_SECONDS, JOBS_SCHEMA, type JobData, type JobHandler, type JobQueue } from './job-queue.js';
import { PreparedClient } from './prepared-client.js';

/** The error may contain secrets. If `jobId` is undefined, the error is a `JobQueueError`. */
export type ReportJobError = (error: unknown, jobId: string | undefined) => void;

export interface JobsOptions {
  /** Connects as the runtime role. */
  readonly databaseUrl: string;
  readonly report: ReportJobError;
  /** Whether database connections use named prepared statements. Defaults to true. */
  readonly prepares?: boolean;
  /** Time that running jobs have to finish when the process stops. Defaults to 10. */
  readonly graceSeconds?: number;
  /** Interval between searches for jobs of crashed processes. Defaults to 5. */
  readonly superviseSeconds?: number;
  /**
   * Interval between polls if the database can notify. Jobs that become due without a notification wait for the next
   * poll. Defaults to 2.
   */
  readonly pollSeconds?: number;
}

/** A statement of the queue failed, usually because the database is unavailable. The queue retries. */
export class JobQueueError extends Error {
  override readonly name = 'JobQueueError';

  constructor(/** SQLSTATE of PostgreSQL or error code of the operating system. */ readonly code: string | undefined) {
    super('A statement of the job queue failed.');
  }
}

/** The error of a job may contain secrets, so the database stores a `JobFailed` instead. */
class JobFailed extends Error {
  override readonly name = 'JobFailed';
  override readonly stack = undefined;

  constructor() {
    super('The job failed. The log of the service contains the error.');
  }
}

/**
 * The queue does not share connections with requests and running jobs, so that heartbeats continue under load. One
 * additional connection listens for notifications.
 */
const POOL_SIZE = 2;

export const POLL_SECONDS = 2;

/** Interval between polls if the database cannot notify, for example behind a connection pooler. */
const POLL_SECONDS_WITHOUT_NOTIFY = 1;

const CONCURRENCY = 2;
const GRACE_SECONDS = 10;
export const SUPERVISE_SECONDS = 5;
/** Number of heartbeats within `heartbeatSeconds`. If all of them are missing, the job counts as lost. */
export const HEARTBEATS_PER_LIFE = 5;
const DAY_SECONDS = 86_400;
/** Time that jobs have to end after their signal is aborted. */
const ABORT_GRACE_MS = 500;

async function isPooled(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  // A lost connection must not end the process: the next statement throws.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await isPooledSession(client);
  } finally {
    await client.end();
  }
}

/** All processes with the same database share the jobs. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #running = new Set<Promise<void>>();
  #boss: PgBoss | undefined;
  /** Without a limit, each poll would report the same error again. */
  readonly #shouldReport = throttlePerMinute();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Without handlers, the process only enqueues jobs. */
  async start(kinds: readonly JobHandler[]): Promise<void> {
    const { databaseUrl, superviseSeconds = SUPERVISE_SECONDS, prepares = true } = this.#options;
    const works = kinds.length > 0;
    const listens = works && !(await isPooled(databaseUrl));
    const boss = new PgBoss({
      ...(prepares && { Client: PreparedClient }), // The types of pg-boss omit this option of its pool.
      ...{ connectionString: databaseUrl, max: POOL_SIZE, query_timeout: 30_000, keepAlive: true },
      ...{ schema: JOBS_SCHEMA, migrate: false, schedule: false, reindex: false, registerInstance: false },
      ...{
        supervise: works,
        useListenNotify: listens,
        flowIntervalSeconds: DAY_SECONDS,
        maintenanceIntervalSeconds: DAY_SECONDS / 24,
      },
      ...{ superviseIntervalSeconds: superviseSeconds, monitorIntervalSeconds: superviseSeconds },
    });
    boss.on('error', (error) => this.#reportTrouble(error));
    this.#boss = boss;
    await boss.start();
    for (const kind of kinds)
      for (let nth = 0; nth < (kind.concurrency ?? CONCURRENCY); nth++) await this.#addWorker(boss, kind);
  }

  /** After a job, the worker polls again immediately, so that it processes a backlog without pauses. */
  async #addWorker(boss: PgBoss, kind: JobHandler): Promise<void> {
    const { pollSeconds = POLL_SECONDS } = this.#options;
    const polling = { pollingIntervalSeconds: POLL_SECONDS_WITHOUT_NOTIFY, notifyPollingIntervalSeconds: pollSeconds };
    const heartbeatRefreshSeconds = (kind.heartbeatSeconds ?? HEARTBEAT_SECONDS) / HEARTBEATS_PER_LIFE;
    const groups = kind.perTenant && { groupConcurrency: kind.perTenant };
    const options = { ...polling, heartbeatRefreshSeconds, ...groups };
    let worker = '';
    worker = await boss.work<JobData>(kind.name, options, async ([job]) => {
      boss.notifyWorker(worker);
      await this.#run(kind, job as Job<JobData>);
    });
  }

  /**
   * Enqueues a job in the transaction of `em`. The job runs only if the transaction commits. If a job with the same key
   * already waits, that job does not start before the commit.
   */
  async enqueue<Data extends JobData>(
    em: EntityManager,
    queue: JobQueue<Data>,
    data: Data,
    options: EnqueueOptions = {},
  ): Promise<void> {
    await enqueueJob(this.#boss as PgBoss, em, queue.name, data, options);
  }

  /** Returns true if the transaction of `em` can see a job with this key that waits, waits for a retry or runs. */
  isUnfinished(em: EntityManager, queue: JobQueue, key: string): Promise<boolean> {
    return isJobUnfinished(this.#boss as PgBoss, em, queue.name, key);
  }

  /**
   * Takes no more jobs. Lets running jobs finish within the grace period, and then aborts the signals of the remaining
   * jobs. Other processes retry these jobs.
   */
  async stop(): Promise<void> {
    const timeout = (this.#options.graceSeconds ?? GRACE_SECONDS) * 1_000;
    await this.#boss?.stop({ timeout, close: false });
    await Promise.race([Promise.all(this.#running), sleep(ABORT_GRACE_MS, undefined, { ref: false })]);
    await this.#boss?.stop();
  }

  async #run(kind: JobHandler, { id, data, retryCount, signal }: Job<JobData>): Promise<void> {
    const work = runInJob(async () => kind.run(data, { id, attempt: retryCount + 1, signal })).catch(
      (error: unknown) => {
        this.#options.report(error, id);
        throw new JobFailed();
      },
    );
    const ended = work.catch(() => undefined);
    this.#running.add(ended);
    ended.finally(() => this.#running.delete(ended));
    await work;
  }

  #reportTrouble({ code }: Error & { code?: unknown }): void {
    if (!this.#shouldReport()) return;
    this.#options.report(new JobQueueError(typeof code === 'string' ? code : undefined), undefined);
  }
}
