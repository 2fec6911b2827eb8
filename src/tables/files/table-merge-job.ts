import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { TableJobData } from './table-cleanup-job.js';

export const tableMergeQueue: JobQueue<TableJobData> = {
  name: 'table-merge',
  timeoutSeconds: 3_600,
  perTenant: 1,
  ...LONG_RETRY_POLICY,
};

/** Maximum time for which committed rows wait for a merge. */
export const MAX_WAIT_SECONDS = 600;

/**
 * In the transaction of `em`, schedules a merge that starts after `seconds`. If a merge of the table is already
 * scheduled, that merge starts at the earlier of the two times.
 */
export function scheduleMerge(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
  seconds: number,
): Promise<void> {
  return jobs.enqueue(em, tableMergeQueue, { tenantId, tableId }, { key: tableId, startAfter: seconds });
}
