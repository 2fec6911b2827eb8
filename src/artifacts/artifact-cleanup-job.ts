import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../kernel/jobs/job-queue.js';
import type { Jobs } from '../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../kernel/jobs/long-retry-policy.js';

export type ArtifactCleanupData = {
  readonly tenantId: string;
  readonly artifactId: string;
};

export const artifactCleanupQueue: JobQueue<ArtifactCleanupData> = {
  name: 'artifact-cleanup',
  timeoutSeconds: 300,
  ...LONG_RETRY_POLICY,
};

export function scheduleArtifactCleanup(
  jobs: Jobs,
  em: EntityManager,
  data: ArtifactCleanupData,
  delaySeconds: number,
): Promise<void> {
  return jobs.enqueue(em, artifactCleanupQueue, data, { startAfter: delaySeconds });
}
