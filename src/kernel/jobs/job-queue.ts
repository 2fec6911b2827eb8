import type { QueueOptions, QueuePolicy } from 'pg-boss';

/** Database schema of the job queue. */
export const JOBS_SCHEMA = 'taproot_jobs';

/**
 * Parameters of a job: ids, including `tenantId` if it concerns a workspace. Must not contain secrets: it is stored for
 * days without row level security, readable by every process that shares the database.
 */
export type JobData = Readonly<Record<string, string | number | boolean>>;

/** A queue of background jobs, as declared in the database before any job runs. */
export interface JobQueue<Data extends JobData = JobData> {
  /** Letters, digits, `_`, `-` and `.`. Stored with jobs, so it must not change. */
  readonly name: string;
  /** Time after which the signal of an attempt is aborted and the job is retried. At most a day. */
  readonly timeoutSeconds: number;
  /**
   * Time without heartbeat after which another process runs the job of a crashed process. At least 10; defaults to 30.
   */
  readonly heartbeatSeconds?: number;
  /** Retries with exponential backoff. Defaults to 5 retries, from 5 seconds up to 10 minutes apart. */
  readonly retries?: { readonly limit: number; readonly delaySeconds: number; readonly maxDelaySeconds: number };
  /** Retention of jobs that have not succeeded, in days after their due time. Defaults to 14. */
  readonly retentionDays?: number;
  /**
   * Maximum number of jobs that a process runs concurrently, and number of its workers, which poll separately. Defaults
   * to 2.
   */
  readonly concurrency?: number;
  /**
   * Maximum number of jobs of one `tenantId` that all processes together run concurrently, so that one workspace does
   * not block other workspaces.
   */
  readonly perTenant?: number;
  /** Whether the jobs read from vendors for minutes. Operators can run such jobs in separate processes. */
  readonly isPull?: boolean;
  /** Never set; exists only for the type parameter. */
  readonly data?: Data;
}

/** The handler of a queue. A job may run more than once, so handlers must be idempotent. */
export interface JobHandler<Data extends JobData = JobData> extends JobQueue<Data> {
  /**
   * Should stop when the signal is aborted, otherwise it may run concurrently with the next attempt. Errors are
   * reported and the job is retried.
   */
  run(data: Data, job: RunningJob): Promise<void>;
}

/** A job of a domain manifest. `Services` are the services of the process that its handler needs. */
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

/** Jobs that a process runs: `pull` are the jobs that read from vendors for minutes, `rest` are all other jobs. */
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
  /** UUID, the same for all attempts. */
  readonly id: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Aborted at the timeout, when the process stops, and when another process takes over the job. */
  readonly signal: AbortSignal;
}

const DEFAULT_RETRIES = { limit: 5, delaySeconds: 5, maxDelaySeconds: 600 };
export const HEARTBEAT_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** At most one job per key waits for its first run. Jobs without a key get a unique key. */
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
    retentionSeconds: retentionDays * DAY_SECONDS, // if it has not run
    notify: true,
  };
}
