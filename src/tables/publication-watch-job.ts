import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../kernel/job-queue.js';
import type { Jobs } from '../kernel/jobs.js';
import { PATIENT } from '../kernel/patient-queue.js';
import type { PublishArtifactData } from './publish-artifact-job.js';

/** Looks whether a publication that has not ended has a job that will end it. */
export const publicationWatchQueue: JobQueue<PublishArtifactData> = {
  name: 'publication-watch',
  timeoutSeconds: 60,
  ...PATIENT,
};

/** Seconds between two looks. */
const LOOKED_EVERY = 3 * 3_600;

/** The next look, if the transaction of `em` is committed. */
export function planPublicationWatch(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, publicationId }: PublishArtifactData,
): Promise<void> {
  const options = { key: publicationId, startAfter: LOOKED_EVERY };
  return jobs.enqueue(em, publicationWatchQueue, { tenantId, publicationId }, options);
}
