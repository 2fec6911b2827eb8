import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { throttlePerMinute } from '../throttle.js';
import { type EnqueueOptions, enqueueJob, isJobUnfinished } from './enqueue-job.js';
import { JOBS_SCHEMA, type JobData, type JobHandler, type JobQueue } from './job-queue.js';

/** Told what a job threw, and without an id what the queue itself met. What the first one is may hold anything; the second one is a `JobQueueError`. */
export type ReportJobError = (error: unknown, jobId: string | undefined) => void;

export interface JobsOptions {
  /** The login of the role that the service runs as. */
  readonly databaseUrl: string;
  readonly report: ReportJobError;
  /** Seconds that running jobs are given when the process stops, 10 by default. */
  readonly graceSeconds?: number;
  /** Seconds between two looks for jobs of lost processes, 20 by default. */
  readonly superviseSeconds?: number;
  /** Seconds between two looks for work where nothing says that there is some, for jobs that fall due; 2 by default. */
  readonly pollSeconds?: number;
}

/** What the queue met while it looked for work: mostly that its database is away. It goes on by itself. */
export class JobQueueError extends Error {
  override readonly name = 'JobQueueError';

  constructor(/** The SQLSTATE or the code of the operating system. */ readonly code: string | undefined) {
    super('A statement of the job queue failed.');
  }
}

/** Stands in the database in place of what a job threw, which may quote anything. */
class JobFailed extends Error {
  override readonly name = 'JobFailed';
  override readonly stack = undefined;

  constructor() {
    super('The log has what it was.');
  }
}

/** Connections beside those of the requests, so that a busy service does not let its jobs be taken for lost. One more listens. */
const POOL_SIZE = 2;

const POLL_SECONDS = 2;

/** Seconds between two looks for work where the database cannot notify, as behind a pooler. */
const POLL_SECONDS_WITHOUT_NOTIFY = 1;

const CONCURRENCY = 2;
const GRACE_SECONDS = 10;
const SUPERVISE_SECONDS = 20;
const DAY_SECONDS = 86_400;
/** Milliseconds that jobs are given to end once their signal is aborted. */
const ABORT_GRACE_MS = 500;

/**
 * Whether a pooler is between the service and PostgreSQL: it gives clients a process id of its own. LISTEN needs a session to itself, and
 * a pooler of transactions shares them.
 */
async function isPooled(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined); // a loss shows in the statement that needed it
  try {
    await client.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    return rows[0].pid !== (client as { processID?: unknown }).processID;
  } finally {
    await client.end();
  }
}

/** The work that goes on beside requests, on the same PostgreSQL, shared by all processes on it. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #running = new Set<Promise<void>>();
  #boss: PgBoss | undefined;
  /** Of trouble with the queue itself: there is some with each look for work. */
  readonly #isTold = throttlePerMinute();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Runs jobs of these kinds. A process with none puts jobs into the queue and leaves them to others. */
  async start(kinds: readonly JobHandler[]): Promise<void> {
    const { databaseUrl, superviseSeconds: watchSeconds = SUPERVISE_SECONDS } = this.#options;
    const works = kinds.length > 0;
    const listens = works && !(await isPooled(databaseUrl));
    const boss = new PgBoss({
      ...{ connectionString: databaseUrl, max: POOL_SIZE, query_timeout: 30_000, keepAlive: true },
      ...{ schema: JOBS_SCHEMA, migrate: false, schedule: false, reindex: false, registerInstance: false },
      ...{
        supervise: works,
        useListenNotify: listens,
        flowIntervalSeconds: DAY_SECONDS,
        maintenanceIntervalSeconds: DAY_SECONDS / 24,
      },
      ...{ superviseIntervalSeconds: watchSeconds, monitorIntervalSeconds: watchSeconds },
    });
    boss.on('error', (error) => this.#reportTrouble(error));
    this.#boss = boss;
    await boss.start();
    for (const kind of kinds)
      for (let nth = 0; nth < (kind.concurrency ?? CONCURRENCY); nth++) await this.#addWorker(boss, kind);
  }

  /** Who found a job looks for the next one at once, so that a backlog is worked off without pauses. */
  async #addWorker(boss: PgBoss, kind: JobHandler): Promise<void> {
    const { pollSeconds = POLL_SECONDS } = this.#options;
    const polling = { pollingIntervalSeconds: POLL_SECONDS_WITHOUT_NOTIFY, notifyPollingIntervalSeconds: pollSeconds };
    const options = { ...polling, ...(kind.perTenant && { groupConcurrency: kind.perTenant }) };
    let worker = '';
    worker = await boss.work<JobData>(kind.name, options, async ([job]) => {
      boss.notifyWorker(worker);
      await this.#run(kind, job as Job<JobData>);
    });
  }

  /**
   * Puts a job into the queue as part of the transaction of `em`: it runs once that is committed, and never if it is not. One that was
   * waiting already under the key cannot start before the commit either.
   */
  async enqueue<Data extends JobData>(
    em: EntityManager,
    queue: JobQueue<Data>,
    data: Data,
    options: EnqueueOptions = {},
  ): Promise<void> {
    await enqueueJob(this.#boss as PgBoss, em, queue.name, data, options);
  }

  /** Whether a job waits, is to be tried again or runs under a key, as the transaction of `em` sees it. */
  isUnfinished(em: EntityManager, queue: JobQueue, key: string): Promise<boolean> {
    return isJobUnfinished(this.#boss as PgBoss, em, queue.name, key);
  }

  /** Takes no more jobs, lets those under way finish while the grace lasts, then aborts their signals; they are tried again elsewhere. */
  async stop(): Promise<void> {
    const timeout = (this.#options.graceSeconds ?? GRACE_SECONDS) * 1_000;
    await this.#boss?.stop({ timeout, close: false });
    await Promise.race([Promise.all(this.#running), sleep(ABORT_GRACE_MS, undefined, { ref: false })]);
    await this.#boss?.stop();
  }

  async #run(kind: JobHandler, { id, data, retryCount, signal }: Job<JobData>): Promise<void> {
    const work = (async () => kind.run(data, { id, attempt: retryCount + 1, signal }))().catch((error: unknown) => {
      this.#options.report(error, id);
      throw new JobFailed();
    });
    const ended = work.catch(() => undefined);
    this.#running.add(ended);
    ended.finally(() => this.#running.delete(ended));
    await work;
  }

  #reportTrouble({ code }: Error & { code?: unknown }): void {
    if (!this.#isTold()) return;
    this.#options.report(new JobQueueError(typeof code === 'string' ? code : undefined), undefined);
  }
}
