import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../kernel/job-queue.js';
import type { Jobs } from '../kernel/jobs.js';

/** Looks whether an artifact has left something that nobody will come back for. */
export type ArtifactCleanupData = {
  readonly tenantId: string;
  readonly artifactId: string;
};

const HOUR = 3_600;

export const artifactCleanupQueue: JobQueue<ArtifactCleanupData> = {
  name: 'artifact-cleanup',
  timeoutSeconds: 300,
  keptDays: 365, // of a service that was off for long, too
  retries: { limit: 100, delaySeconds: 60, maxDelaySeconds: 6 * HOUR }, // a file store may be away for days, and there is no later chance
};

/** Has the artifact looked at in so many seconds, if the transaction of `em` is committed. */
export function scheduleCleanup(
  jobs: Jobs,
  em: EntityManager,
  data: ArtifactCleanupData,
  seconds: number,
): Promise<void> {
  return jobs.enqueue(em, artifactCleanupQueue, data, { startAfter: seconds });
}
