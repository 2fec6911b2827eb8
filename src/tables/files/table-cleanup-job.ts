import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

/** In each queue with this data, at most one job per table waits. */
export type TableJobData = {
  readonly tenantId: string;
  readonly tableId: string;
};

/** Deletes files that are no longer part of a table or never became part of it. */
export const tableCleanupQueue: JobQueue<TableJobData> = {
  name: 'table-cleanup',
  timeoutSeconds: 900,
  ...LONG_RETRY_POLICY,
};

/**
 * Schedules a cleanup that starts after `seconds`. Uses the transaction of `em`. Changes nothing if an earlier cleanup
 * is already scheduled.
 */
export function scheduleTableCleanup(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
  seconds: number,
): Promise<void> {
  return jobs.enqueue(em, tableCleanupQueue, { tenantId, tableId }, { key: tableId, startAfter: seconds });
}
