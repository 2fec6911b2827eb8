import { wireEnum } from '../kernel/entities/wire-enum.js';

export const SyncJobStatus = wireEnum('SyncJobStatus', 'How far a sync job is.', {
  pending: 'Planned.',
  queued: 'Waits for a runner.',
  running: 'Under way.',
  succeeded: 'All taps were read.',
  partial_success: 'Some taps were read.',
  failed: 'Nothing was read to the end.',
  cancelled: 'Somebody stopped it.',
});
export type SyncJobStatus = keyof typeof SyncJobStatus;

export const SyncErrorCode = wireEnum('SyncErrorCode', 'Whose fault a failed job was.', {
  source_error: 'The source refused or broke off.',
  runner_error: 'The runner itself failed.',
});
export type SyncErrorCode = keyof typeof SyncErrorCode;

/** A job moves to higher ranks alone; the last one is final. */
const RANK: Record<SyncJobStatus, number> = {
  ...{ pending: 0, queued: 1, running: 2 },
  ...{ succeeded: 3, partial_success: 3, failed: 3, cancelled: 3 },
};

export function isFinishedSyncJob(status: SyncJobStatus): boolean {
  return RANK[status] === 3;
}

/** Whether a job in `from` may be reported to be in `to`: it goes on, or the report repeats what is known. */
export function canTransition(from: SyncJobStatus, to: SyncJobStatus): boolean {
  return from === to || RANK[from] < RANK[to];
}
