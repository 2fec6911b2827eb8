import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../kernel/jobs/job-queue.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { LONG_RETRY_POLICY } from '../../kernel/jobs/long-retry-policy.js';
import type { PublishArtifactData } from './publish-artifact-job.js';

/** Checks whether an unfinished publication still has a job. */
export const publicationWatchQueue: JobQueue<PublishArtifactData> = {
  name: 'publication-watch',
  timeoutSeconds: 60,
  ...LONG_RETRY_POLICY,
};

const WATCH_INTERVAL_SECONDS = 3 * 3_600;

export function schedulePublicationWatch(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, publicationId }: PublishArtifactData,
): Promise<void> {
  const options = { key: publicationId, startAfter: WATCH_INTERVAL_SECONDS };
  return jobs.enqueue(em, publicationWatchQueue, { tenantId, publicationId }, options);
}
