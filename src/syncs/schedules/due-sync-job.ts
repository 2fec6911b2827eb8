import type { EntityManager } from '@mikro-orm/postgresql';
import type { EnqueueOptions } from '../../kernel/jobs/enqueue-job.js';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

/** At most one job waits per connection. */
export type DueSyncData = {
  readonly tenantId: string;
  readonly instanceId: string;
};

/** Starts the syncs of a connection at the times of its schedule. */
export const dueSyncQueue: JobQueue<DueSyncData> = {
  name: 'due-sync',
  timeoutSeconds: 60,
  concurrency: 4,
  perTenant: 2, // the connections of one workspace that fall due together do not delay those of others
  ...LONG_RETRY_POLICY,
};

/**
 * Schedules the next start, in the transaction of `em`. If an earlier start is scheduled, keeps that start, which then
 * schedules the next one.
 */
export function scheduleDueSync(
  jobs: Jobs,
  em: EntityManager,
  data: DueSyncData,
  at: Date,
  options: Pick<EnqueueOptions, 'isNewKey'> = {},
): Promise<void> {
  return jobs.enqueue(em, dueSyncQueue, data, { key: data.instanceId, startAfter: at, ...options });
}
