import { wireEnum } from '../kernel/entities/wire-enum.js';

export const TapRunStatus = wireEnum('TapRunStatus', 'Status of a tap run.', {
  pending: 'The run waits for its first step, or for its parent taps.',
  running: 'The run is in progress.',
  waiting:
    'The run waits for one of these events: the vendor accepts requests again, the vendor finishes a query, the service repeats a failed step, or a user resumes the paused schedule.',
  succeeded: 'All records were read, except those that the definition skips.',
  failed:
    'A failure stopped the run. The table keeps the rows that are already committed. In mode `replace`, the table keeps the rows that it had before the run.',
  skipped:
    'The run ended early. The service skipped the tap because of a response of the vendor, such as 403, or because the service skipped the parent tap.',
  cancelled: 'A user or the service stopped the run before its end.',
});
export type TapRunStatus = keyof typeof TapRunStatus;

export const OPEN_RUN_STATUSES: readonly TapRunStatus[] = ['pending', 'running', 'waiting'];

export function isOpenRun(status: TapRunStatus): boolean {
  return OPEN_RUN_STATUSES.includes(status);
}
