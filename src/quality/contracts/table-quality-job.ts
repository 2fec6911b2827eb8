import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { TableJobData } from '../../tables/files/table-cleanup-job.js';

const HOUR_SECONDS = 3_600;

/** Looks at a whole table, by what is expected of it. Each look plans the next one, so it must not be lost while the service is off. */
export const tableQualityQueue: JobQueue<TableJobData> = {
  name: 'table-quality',
  timeoutSeconds: HOUR_SECONDS,
  perTenant: 1,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { limit: 10, delaySeconds: 5, maxDelaySeconds: HOUR_SECONDS / 6 },
};

/** Seconds between two looks at a table that nothing happens to. */
export const MONITOR_INTERVAL_SECONDS = HOUR_SECONDS;

/** Seconds after a change, so that steady ones share a look; a large table is looked at less often, since all of it may have to be read. */
const MONITOR_DELAY_SECONDS = 3;
const BYTES_PER_DELAY_SECOND = 64 * 2 ** 20;

/** Has a table of so many bytes looked at that has changed, if the transaction of `em` is committed. */
export function enqueueMonitoring(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
  bytes: number,
): Promise<void> {
  const startAfter = Math.min(MONITOR_DELAY_SECONDS + bytes / BYTES_PER_DELAY_SECOND, MONITOR_INTERVAL_SECONDS);
  return jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, { key: tableId, startAfter });
}

/** The next look, whether or not anything happens. */
export function enqueueNextMonitoring(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
): Promise<void> {
  const options = { key: `${tableId} hourly`, startAfter: MONITOR_INTERVAL_SECONDS };
  return jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, options);
}
