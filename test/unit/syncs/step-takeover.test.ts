import { describe, expect, it } from 'vitest';
import { HEARTBEATS_PER_LIFE, POLL_SECONDS, SUPERVISE_SECONDS } from '../../../src/kernel/jobs/jobs.js';
import {
  REPEATED_LEASE_WAIT_MS,
  STEP_LEASE_SECONDS,
  stepMs,
  syncStepQueue,
} from '../../../src/syncs/runs/sync-step-job.js';

const { heartbeatSeconds = 0, retries } = syncStepQueue;

/** Longest delay of pg-boss before a retry, in seconds. */
const retryDelay = (retry: number): number =>
  Math.min(retries?.maxDelaySeconds ?? 0, (retries?.delaySeconds ?? 0) * 2 ** retry);

/** Longest time from a kill to the start of the next attempt, in seconds. */
const takeover = (retry: number): number => heartbeatSeconds + SUPERVISE_SECONDS + retryDelay(retry) + POLL_SECONDS;

describe('a step whose worker is killed', () => {
  it('is repeated within 20 seconds', () => {
    expect(takeover(1)).toBeLessThanOrEqual(20);
  });

  it('commits within 90 seconds although its worker is killed three times in a row', () => {
    const attempts = [1, 2, 3, 4].map((attempt) => stepMs(attempt) / 1_000);
    const readingSeconds = attempts.reduce((sum, seconds) => sum + seconds);
    const commitSeconds = 5;
    expect(readingSeconds + takeover(1) + takeover(2) + takeover(3) + commitSeconds).toBeLessThan(90);
  });

  it('is repeated although kills have used up the retries of other jobs', () => {
    expect((retries?.limit ?? 0) * takeover(1)).toBeGreaterThan(365 * 86_400);
  });

  it('finds the lease of its table expired', () => {
    const earliest = heartbeatSeconds * (1 - 1 / HEARTBEATS_PER_LIFE) + (retries?.delaySeconds ?? 0);
    expect(STEP_LEASE_SECONDS).toBeLessThan(earliest + REPEATED_LEASE_WAIT_MS / 1_000);
  });
});
