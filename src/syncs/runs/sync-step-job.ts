import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

export type SyncStepData = {
  readonly tenantId: string;
  readonly runId: string;
};

/** From this attempt on, an unexpected error fails the tap run. The next step starts with the first attempt again. */
export const FAIL_FROM_ATTEMPT = 6;

/**
 * Reads a tap for some seconds. Keyed by the tap run. Has more retries than `FAIL_FROM_ATTEMPT`, for steps whose process
 * is killed and while the database is unavailable. The heartbeat and the delays let another process take over the step
 * of a killed one within 40 seconds.
 */
export const syncStepQueue: JobQueue<SyncStepData> = {
  name: 'sync-tap-step',
  isPull: true,
  timeoutSeconds: 1_800,
  heartbeatSeconds: 15,
  concurrency: 8, // a step mostly waits for the vendor
  perTenant: 4,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { limit: 10_000, delaySeconds: 1, maxDelaySeconds: 30 },
};
