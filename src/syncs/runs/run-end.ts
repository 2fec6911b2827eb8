import type { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { HeldRows } from '../held/rejected-rows.js';
import type { TapRunStatus } from '../tap-run-status.js';

export interface RunEnd {
  readonly status: Extract<TapRunStatus, 'succeeded' | 'failed' | 'skipped' | 'cancelled'>;
  readonly errorClass?: SyncErrorClass | undefined;
  readonly errorMessage?: string | undefined;
  /** Whether the quality gate of the table rejected the rows. */
  readonly isRejected?: boolean;
  /** Holds the rows of a rejected full read, so that a user can accept them. */
  readonly hold?: HeldRows['hold'] | undefined;
}

export interface EndServices {
  readonly jobs: Jobs;
}
