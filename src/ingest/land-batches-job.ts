import type { JobQueue } from '../kernel/job-queue.js';
import { PATIENT } from '../kernel/patient-queue.js';

/** Brings the batches of a tap that wait into its table. */
export type LandBatchesData = {
  readonly tenantId: string;
  readonly tapId: string;
};

const HOUR = 3_600;

export const landBatchesQueue: JobQueue<LandBatchesData> = {
  name: 'land-batches',
  timeoutSeconds: HOUR,
  concurrency: 4,
  perTenant: 2,
  keptDays: PATIENT.keptDays, // what was acknowledged waits
  retries: { limit: 10_000, delaySeconds: 5, maxDelaySeconds: HOUR }, // the file store may be away for a year
};
