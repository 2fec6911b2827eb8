import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';

/** At most one job waits per workspace. */
export type DueSyncData = {
  readonly tenantId: string;
};

/**
 * A job starts a few due syncs and enqueues the next job, so that workspaces take turns. The delay before a retry is
 * short, because all due syncs of the workspace wait for this job. Retries are practically unlimited, because no other
 * event would enqueue the job again.
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
 * If a job of the workspace already waits, creates no second job. The waiting job then starts at `startAfter`, if its
 * own start is later.
 */
export function scheduleDueSyncs(
  jobs: Jobs,
  em: EntityManager,
  tenantId: string,
  startAfter: Date | number,
): Promise<void> {
  return jobs.enqueue(em, dueSyncQueue, { tenantId }, { key: tenantId, startAfter });
}
