import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

/** A job about one table. Of each kind one at the most waits for a table. */
export type TableJobData = {
  readonly tenantId: string;
  readonly tableId: string;
};

/** Looks for files that are no part of a table. */
export const tableCleanupQueue: JobQueue<TableJobData> = {
  name: 'table-cleanup',
  timeoutSeconds: 900,
  ...LONG_RETRY_POLICY,
};

/** Has the files looked at in so many seconds, or earlier where that is planned already, if the transaction of `em` is committed. */
export function scheduleTableCleanup(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
  seconds: number,
): Promise<void> {
  return jobs.enqueue(em, tableCleanupQueue, { tenantId, tableId }, { key: tableId, startAfter: seconds });
}
