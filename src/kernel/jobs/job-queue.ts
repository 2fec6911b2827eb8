import type { QueueOptions, QueuePolicy } from 'pg-boss';

export const JOBS_SCHEMA = 'taproot_jobs';

/**
 * Parameters of a job, such as ids. A job of a workspace has `tenantId`. The parameters must not contain secrets: the
 * database stores them for days without row level security, and every process that shares the database can read them.
 */
export type JobData = Readonly<Record<string, string | number | boolean>>;

/** `migrateJobQueues` creates the queue in the database before any job runs. */
export interface JobQueue<Data extends JobData = JobData> {
  /** Letters, digits, `_`, `-` and `.`. The database stores the name with each job, so it must not change. */
  readonly name: string;
  /** After this time, the queue aborts the signal of an attempt and retries the job. At most a day. */
  readonly timeoutSeconds: number;
  /**
   * After this time without a heartbeat, the process of the job counts as crashed, and another process runs the job. At
   * least 10, by default 30.
   */
  readonly heartbeatSeconds?: number;
  /**
   * Retries with exponential backoff. Defaults to 5 retries, a first delay of 5 seconds and a maximum delay of 10
   * minutes.
   */
  readonly retries?: { readonly limit: number; readonly delaySeconds: number; readonly maxDelaySeconds: number };
  /**
   * Time for which the database stores a job that waits for its first run or for a retry, counted from its due time.
   * Defaults to 14.
   */
  readonly retentionDays?: number;
  /**
   * Maximum number of concurrent jobs in one process. The process polls separately for each concurrent job. Defaults to
   * 2.
   */
  readonly concurrency?: number;
  /**
   * Maximum number of concurrent jobs per `tenantId` in all processes together, so that one workspace cannot block
   * other workspaces.
   */
  readonly perTenant?: number;
  /** Whether the jobs read from vendors for minutes. Operators can run them in separate processes. */
  readonly isPull?: boolean;
  /** Exists only for the type parameter. No queue sets it. */
  readonly data?: Data;
}

/** A job may run more than once, so its handler must be idempotent. */
export interface JobHandler<Data extends JobData = JobData> extends JobQueue<Data> {
  /**
   * Runs one attempt. The attempt should stop after the signal is aborted, because the next attempt may start. If `run`
   * throws, the queue reports the error and retries the job.
   */
  run(data: Data, job: RunningJob): Promise<void>;
}

export interface DomainJob<Services = never> extends JobQueue {
  run(services: Services, data: JobData, job: RunningJob): Promise<void>;
}

export function defineJob<Services, Data extends JobData>(
  queue: JobQueue<Data>,
  run: (services: Services, data: Data, job: RunningJob) => Promise<void>,
): DomainJob<Services> {
  return { ...(queue as JobQueue), run: run as DomainJob<Services>['run'] };
}

export function bindJobs<Services>(jobs: readonly DomainJob<Services>[], services: Services): readonly JobHandler[] {
  return jobs.map((definition) => ({ ...definition, run: (data, job) => definition.run(services, data, job) }));
}

/** `pull` selects the jobs that read from vendors for minutes, and `rest` selects all other jobs. */
export type JobSelection = 'all' | 'pull' | 'rest' | 'off';

const SELECTED: Record<JobSelection, (queue: Pick<JobQueue, 'isPull'>) => boolean> = {
  all: () => true,
  pull: ({ isPull = false }) => isPull,
  rest: ({ isPull = false }) => !isPull,
  off: () => false,
};

export function selectJobs<Queue extends Pick<JobQueue, 'isPull'>>(
  queues: readonly Queue[],
  selection: JobSelection,
): readonly Queue[] {
  return queues.filter(SELECTED[selection]);
}

export interface RunningJob {
  /** UUID of the job, the same for all attempts. */
  readonly id: string;
  /** Starts at 1. */
  readonly attempt: number;
  /** Aborts at the timeout, when the process stops, and when another process takes over the job. */
  readonly signal: AbortSignal;
}

const DEFAULT_RETRIES = { limit: 5, delaySeconds: 5, maxDelaySeconds: 600 };
export const HEARTBEAT_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** At most one job per key waits for its first run. A job without a key gets a unique key. */
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
    retryBackoff: true, // Doubles the delay with each retry, and adds jitter.
    retryDelayMax: retries.maxDelaySeconds,
    deleteAfterSeconds: 7 * DAY_SECONDS, // The time starts when the job ends.
    retentionSeconds: retentionDays * DAY_SECONDS, // Applies to a waiting job.
    notify: true,
  };
}
