import type { EntityManager } from '@mikro-orm/postgresql';
import type { JobQueue } from '../kernel/job-queue.js';
import type { Jobs } from '../kernel/jobs.js';
import { PATIENT } from '../kernel/patient-queue.js';
import type { TableJobData } from '../tables/table-cleanup-job.js';

const HOUR = 3_600;

/** Looks at a whole table, by what is expected of it. Each look plans the next one, so it must not be lost while the service is off. */
export const tableQualityQueue: JobQueue<TableJobData> = {
  name: 'table-quality',
  timeoutSeconds: HOUR,
  perTenant: 1,
  keptDays: PATIENT.keptDays,
  retries: { limit: 10, delaySeconds: 5, maxDelaySeconds: HOUR / 6 },
};

/** Seconds between two looks at a table that nothing happens to. */
export const BETWEEN_LOOKS = HOUR;

/** Seconds after a change, so that steady ones share a look; a large table is looked at less often, since all of it may have to be read. */
const SOON = 3;
const BYTES_A_SECOND = 64 * 2 ** 20;

/** Has a table of so many bytes looked at that has changed, if the transaction of `em` is committed. */
export function planLook(
  jobs: Jobs,
  em: EntityManager,
  { tenantId, tableId }: TableJobData,
  bytes: number,
): Promise<void> {
  const startAfter = Math.min(SOON + bytes / BYTES_A_SECOND, BETWEEN_LOOKS);
  return jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, { key: tableId, startAfter });
}

/** The next look, whether or not anything happens. */
export function planNextLook(jobs: Jobs, em: EntityManager, { tenantId, tableId }: TableJobData): Promise<void> {
  const options = { key: `${tableId} hourly`, startAfter: BETWEEN_LOOKS };
  return jobs.enqueue(em, tableQualityQueue, { tenantId, tableId }, options);
}
