import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

export type PublishArtifactData = {
  readonly tenantId: string;
  readonly publicationId: string;
};

const HOUR_SECONDS = 3_600;

export const publishArtifactQueue: JobQueue<PublishArtifactData> = {
  name: 'publish-artifact',
  timeoutSeconds: 6 * HOUR_SECONDS,
  // The retries continue through a file store outage of half a day.
  retries: { limit: 20, delaySeconds: 5, maxDelaySeconds: HOUR_SECONDS },
  perTenant: 1,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
};
