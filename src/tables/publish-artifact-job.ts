import type { JobQueue } from '../kernel/job-queue.js';
import { PATIENT } from '../kernel/patient-queue.js';

/** Brings the rows of a published file into its table. */
export type PublishArtifactData = {
  readonly tenantId: string;
  readonly publicationId: string;
};

const HOUR = 3_600;

export const publishArtifactQueue: JobQueue<PublishArtifactData> = {
  name: 'publish-artifact',
  timeoutSeconds: 6 * HOUR,
  retries: { limit: 20, delaySeconds: 5, maxDelaySeconds: HOUR }, // a file store may be away for half a day
  perTenant: 1,
  keptDays: PATIENT.keptDays,
};
