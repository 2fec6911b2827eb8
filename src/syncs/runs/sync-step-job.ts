import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

export type SyncStepData = {
  readonly tenantId: string;
  readonly runId: string;
};

/**
 * If a step has failed this many times in a row and the last error is unexpected, the tap run fails. Attempts whose
 * worker was killed do not count.
 */
export const FAIL_FROM_FAILURE = 6;

/** Short, so that the lease of a killed worker expires before another worker repeats the step. */
export const STEP_LEASE_SECONDS = 10;

export const REPEATED_LEASE_WAIT_MS = 2_000;

const MAX_STEP_MS = 15_000;
const MIN_STEP_MS = 1_000;

/** Durations vary by this share, so that steps that start together do not write their files together. */
const SPREAD = 0.2;

/** Each further attempt has a shorter step, so that a run progresses even if workers are often killed. */
export function stepMs(attempt: number): number {
  return Math.max(MIN_STEP_MS, (MAX_STEP_MS / 3 ** (attempt - 1)) * (1 - SPREAD * Math.random()));
}

/**
 * Heartbeat and delays are short, so that another process repeats the step of a killed worker within 20 seconds. After
 * a failed step, the delay is longer (see `postponeAfterFailure`). Retries are practically unlimited, because a killed
 * worker uses up a retry.
 */
export const syncStepQueue: JobQueue<SyncStepData> = {
  name: 'sync-tap-step',
  isPull: true,
  timeoutSeconds: 1_800,
  heartbeatSeconds: 10,
  concurrency: 8, // Steps mostly wait for the vendor, so many of them can run concurrently.
  perTenant: 4,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { limit: 100_000_000, delaySeconds: 1, maxDelaySeconds: 2 },
};
