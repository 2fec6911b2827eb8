import type { SyncErrorCode, SyncJobStatus } from './sync-job-status.js';

/** Summary of a connection's sync jobs. Times are ISO 8601. */
export interface SyncState {
  /** The running job with the latest report. */
  readonly running?: { readonly isInitial: boolean; readonly reportedAt: string };
  readonly isQueued: boolean;
  /** The last job to end, not counting cancelled jobs. */
  readonly finished?: {
    readonly status: SyncJobStatus;
    readonly errorCode?: SyncErrorCode;
    readonly qualityDegraded: boolean;
  };
  readonly succeededAt?: string;
}

export const NEVER_SYNCED: SyncState = { isQueued: false };

/** Formats a time like `Date.prototype.toISOString`. */
export const isoTimeSql = (time: string): string =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
