import type { JobQueue } from '../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../kernel/jobs/long-retry-policy.js';

export type FlushBatchesData = {
  readonly tenantId: string;
  readonly tapId: string;
};

const HOUR_SECONDS = 3_600;

export const flushBatchesQueue: JobQueue<FlushBatchesData> = {
  name: 'land-batches',
  timeoutSeconds: HOUR_SECONDS,
  concurrency: 4,
  perTenant: 2,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  // The retries continue for up to a year, for example while the file store is unreachable.
  retries: { limit: 10_000, delaySeconds: 5, maxDelaySeconds: HOUR_SECONDS },
};
