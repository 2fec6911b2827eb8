import { describe, expect, it } from 'vitest';
import { HEARTBEAT_SECONDS, type JobQueue } from '../../../src/kernel/jobs/job-queue.js';
import { HEARTBEATS_PER_LIFE, POLL_SECONDS, SUPERVISE_SECONDS } from '../../../src/kernel/jobs/jobs.js';
import {
  REPEATED_LEASE_WAIT_MS,
  STEP_LEASE_SECONDS,
  stepMs,
  syncStepQueue,
} from '../../../src/syncs/runs/sync-step-job.js';
import { dueSyncQueue } from '../../../src/syncs/schedules/due-sync-job.js';

const { heartbeatSeconds = 0, retries } = syncStepQueue;

/** Returns the longest delay, in seconds, before pg-boss retries a job. */
const retryDelay = ({ retries }: JobQueue, retry: number): number =>
  Math.min(retries?.maxDelaySeconds ?? 0, (retries?.delaySeconds ?? 0) * 2 ** retry);

/** Returns the longest time from a kill to the start of the next attempt, in seconds. */
const takeover = (retry: number, queue: JobQueue = syncStepQueue): number =>
  (queue.heartbeatSeconds ?? HEARTBEAT_SECONDS) + SUPERVISE_SECONDS + retryDelay(queue, retry) + POLL_SECONDS;

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

  it('ends at a different time than steps that started at the same time', () => {
    const ends = Array.from({ length: 20 }, () => stepMs(1) / 1_000);
    expect(new Set(ends).size).toBe(20);
    expect(ends.every((seconds) => seconds >= 12 && seconds <= 15)).toBe(true);
  });

  it('is repeated although kills have used up the retries of other jobs', () => {
    expect((retries?.limit ?? 0) * takeover(1)).toBeGreaterThan(365 * 86_400);
  });

  it('finds the lease of its table expired', () => {
    const earliest = heartbeatSeconds * (1 - 1 / HEARTBEATS_PER_LIFE) + (retries?.delaySeconds ?? 0);
    expect(STEP_LEASE_SECONDS).toBeLessThan(earliest + REPEATED_LEASE_WAIT_MS / 1_000);
  });
});

describe('a job that starts due syncs and whose worker is killed', () => {
  it('is repeated within 60 seconds, also after a second kill', () => {
    expect(takeover(2, dueSyncQueue)).toBeLessThanOrEqual(60);
  });

  it('is repeated although failures have used up the retries of other jobs', () => {
    const { limit = 0, maxDelaySeconds = 0 } = dueSyncQueue.retries ?? {};
    expect(limit * maxDelaySeconds).toBeGreaterThan(365 * 86_400);
  });
});
