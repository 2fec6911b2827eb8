import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../kernel/jobs/job-queue.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../kernel/jobs/long-retry-policy.js';

/** Looks whether an artifact has left something that nobody will come back for. */
export type ArtifactCleanupData = {
  readonly tenantId: string;
  readonly artifactId: string;
};

export const artifactCleanupQueue: JobQueue<ArtifactCleanupData> = {
  name: 'artifact-cleanup',
  timeoutSeconds: 300,
  ...LONG_RETRY_POLICY,
};

/** Has the artifact looked at in so many seconds, if the transaction of `em` is committed. */
export function scheduleArtifactCleanup(
  jobs: Jobs,
  em: EntityManager,
  data: ArtifactCleanupData,
  seconds: number,
): Promise<void> {
  return jobs.enqueue(em, artifactCleanupQueue, data, { startAfter: seconds });
}
