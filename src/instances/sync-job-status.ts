import { wireEnum } from '../kernel/entities/wire-enum.js';

export const SyncJobStatus = wireEnum('SyncJobStatus', 'Status of a sync job.', {
  pending: 'An external runner has planned the job, but has not queued it yet.',
  queued: 'The job waits for a worker or an external runner.',
  running: 'The job is in progress.',
  succeeded: 'At least one tap was read or skipped, and no tap failed.',
  partial_success: 'Some taps were read or skipped, and some failed.',
  failed: 'At least one tap failed, and no tap was read or skipped.',
  cancelled: 'The job was stopped before its end.',
});
export type SyncJobStatus = keyof typeof SyncJobStatus;

export const SyncErrorCode = wireEnum('SyncErrorCode', 'Party that caused the failure of a job.', {
  source_error: 'The source failed, rejected a request or returned an unexpected response.',
  runner_error: 'The service or the external runner failed.',
});
export type SyncErrorCode = keyof typeof SyncErrorCode;

export const SyncTrigger = wireEnum('SyncTrigger', 'What started a sync job.', {
  manual: 'A caller.',
  schedule: 'The schedule of the connection.',
  initial: 'The first successful test of the credentials.',
  external: 'An external runner, which reports the job.',
});
export type SyncTrigger = keyof typeof SyncTrigger;

/** A job moves only to a status with a higher rank. */
const RANK: Record<SyncJobStatus, number> = {
  ...{ pending: 0, queued: 1, running: 2 },
  ...{ succeeded: 3, partial_success: 3, failed: 3, cancelled: 3 },
};

export const OPEN_STATUSES: readonly SyncJobStatus[] = ['pending', 'queued', 'running'];
export const SUCCEEDED_STATUSES: readonly SyncJobStatus[] = ['succeeded', 'partial_success'];
/** Final statuses except `cancelled`, which says nothing about the connection. */
export const CONCLUSIVE_STATUSES: readonly SyncJobStatus[] = [...SUCCEEDED_STATUSES, 'failed'];

export function isFinishedSyncJob(status: SyncJobStatus): boolean {
  return RANK[status] === 3;
}

/** Allows the same status, because a runner may repeat a report. */
export function canTransition(from: SyncJobStatus, to: SyncJobStatus): boolean {
  return from === to || RANK[from] < RANK[to];
}
