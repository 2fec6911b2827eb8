import type { QueueOptions, QueuePolicy } from 'pg-boss';

/** Where the jobs are kept, beside the tables of the entities. */
export const JOBS_SCHEMA = 'taproot_jobs';

/**
 * What a job is about: ids, and `tenantId` among them where it is about a workspace. Never a secret: every process that shares the database
 * can read it, row level security does not stand around it, and it stays for days.
 */
export type JobData = Readonly<Record<string, string | number | boolean>>;

/** A kind of background work, as far as the database has to know of it before anything runs. */
export interface JobQueue<Data extends JobData = JobData> {
  /** Letters, digits, `_`, `-` and `.`. Jobs bear it in the database, so it stays what it is. */
  readonly name: string;
  /** Seconds after which an attempt is given up: its signal is aborted, and the job is tried again. A day at the most. */
  readonly timeoutSeconds: number;
  /** Seconds without a sign of life after which the job of a lost process is run by another, 10 at least; 30 by default. */
  readonly heartbeatSeconds?: number;
  /** Attempts after the first one; each waits about twice as long as the one before it, up to `maxDelaySeconds`. 5 after 5 seconds and more by default, 10 minutes apart at the most. */
  readonly retries?: { readonly limit: number; readonly delaySeconds: number; readonly maxDelaySeconds: number };
  /** Days after it falls due for which one that nobody has run, or that has not succeeded, is kept; 14 by default. */
  readonly retentionDays?: number;
  /** How many of them a process runs at once, 2 by default. Each one looks for work by itself. */
  readonly concurrency?: number;
  /** How many of one `tenantId` all processes together run at once, so that what one workspace waits for does not hold up the others. */
  readonly perTenant?: number;
  /** Never there: it carries the type of what the jobs are about. */
  readonly data?: Data;
}

/** A kind of background work that this process can do. A job may be run more than once, so doing it again must do no harm. */
export interface JobHandler<Data extends JobData = JobData> extends JobQueue<Data> {
  /** Should heed the signal: who goes on after it is aborted may meet the next attempt. What it throws is reported, and the job tried again. */
  run(data: Data, job: RunningJob): Promise<void>;
}

/** A job of a domain manifest; `Services` are those of the process that its handler needs. */
export interface DomainJob<Services = never> extends JobQueue {
  run(services: Services, data: JobData, job: RunningJob): Promise<void>;
}

export function defineJob<Services, Data extends JobData>(
  queue: JobQueue<Data>,
  run: (services: Services, data: Data, job: RunningJob) => Promise<void>,
): DomainJob<Services> {
  return { ...(queue as JobQueue), run: run as DomainJob<Services>['run'] };
}

/** The handlers of jobs, bound to the services of this process. */
export function bindJobs<Services>(jobs: readonly DomainJob<Services>[], services: Services): readonly JobHandler[] {
  return jobs.map((definition) => ({ ...definition, run: (data, job) => definition.run(services, data, job) }));
}

export interface RunningJob {
  /** The same for all attempts, a UUID. */
  readonly id: string;
  /** 1 for the first one. */
  readonly attempt: number;
  /** Aborted when the time is over, when the process stops, and when another one has taken the job over. */
  readonly signal: AbortSignal;
}

const DEFAULT_RETRIES = { limit: 5, delaySeconds: 5, maxDelaySeconds: 600 };
const HEARTBEAT_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** Of the jobs with the same key only one waits to be run for the first time; without a key each has one of its own. */
export const ONE_PER_KEY: QueuePolicy = 'short';

export function toQueueOptions({
  timeoutSeconds,
  heartbeatSeconds,
  retries = DEFAULT_RETRIES,
  retentionDays = 14,
}: JobQueue): QueueOptions & { notify: boolean } {
  return {
    expireInSeconds: timeoutSeconds,
    heartbeatSeconds: heartbeatSeconds ?? HEARTBEAT_SECONDS,
    retryLimit: retries.limit,
    retryDelay: retries.delaySeconds,
    retryBackoff: true, // with jitter
    retryDelayMax: retries.maxDelaySeconds,
    deleteAfterSeconds: 7 * DAY_SECONDS, // after its end
    retentionSeconds: retentionDays * DAY_SECONDS, // without having been run
    notify: true,
  };
}
