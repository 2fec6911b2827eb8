import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

/** Data of a job that starts the due syncs of a workspace. At most one such job waits per workspace. */
export type DueSyncData = {
  readonly tenantId: string;
};

/**
 * A job starts a few due syncs of a workspace and enqueues the next job, so that workspaces take turns. If a worker is
 * killed, another process soon repeats the job, because all due syncs of the workspace wait for it. The number of
 * retries is practically unlimited, because no other event would enqueue the job again.
 */
export const dueSyncQueue: JobQueue<DueSyncData> = {
  name: 'due-sync',
  timeoutSeconds: 60,
  concurrency: 4,
  perTenant: 1,
  retentionDays: LONG_RETRY_POLICY.retentionDays,
  retries: { limit: 100_000_000, delaySeconds: 1, maxDelaySeconds: 60 },
};

/**
 * Enqueues, in the transaction of `em`, the job that starts the workspace's syncs that are due at `startAfter`. If a
 * job already waits for an earlier time, that job enqueues the next job.
 */
export function scheduleDueSyncs(
  jobs: Jobs,
  em: EntityManager,
  tenantId: string,
  startAfter: Date | number,
): Promise<void> {
  return jobs.enqueue(em, dueSyncQueue, { tenantId }, { key: tenantId, startAfter });
}
