import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { TableJobData } from '../../tables/files/table-cleanup-job.js';

const HOUR_SECONDS = 3_600;

/** Each job enqueues the next job, so jobs must survive downtime of the service. */
export const tableQualityQueue: JobQueue<TableJobData> = {
  name: 'table-quality',
  timeoutSeconds: HOUR_SECONDS,
  perTenant: 1,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { limit: 10, delaySeconds: 5, maxDelaySeconds: HOUR_SECONDS / 6 },
};

export const MONITOR_INTERVAL_SECONDS = HOUR_SECONDS;

/**
 * Because of this delay, frequent changes share a job. The delay grows with the size of the table, because a job may
 * read the whole table.
 */
const MONITOR_DELAY_SECONDS = 3;
const BYTES_PER_DELAY_SECOND = 64 * 2 ** 20;

export function enqueueMonitoring(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
  bytes: number,
): Promise<void> {
  const startAfter = Math.min(MONITOR_DELAY_SECONDS + bytes / BYTES_PER_DELAY_SECOND, MONITOR_INTERVAL_SECONDS);
  return jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, { key: tableId, startAfter });
}

export function enqueueNextMonitoring(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
): Promise<void> {
  const options = { key: `${tableId} hourly`, startAfter: MONITOR_INTERVAL_SECONDS, isNewKey: true };
  return jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, options);
}
