import { isFinishedSyncJob, type SyncErrorCode, type SyncJobStatus } from './sync-job-status.js';

/** Summary of a connection's jobs. The status of the connection is derived from it. Times are ISO 8601. */
export interface SyncState {
  /** The running job with the latest report. */
  readonly running?: { readonly isInitial: boolean; readonly reportedAt: string };
  readonly isQueued: boolean;
  /** The job that ended last. */
  readonly finished?: {
    readonly status: SyncJobStatus;
    readonly errorCode?: SyncErrorCode;
    readonly qualityDegraded: boolean;
  };
  readonly succeededAt?: string;
}

export const NEVER_SYNCED: SyncState = { isQueued: false };

interface ReportedJob {
  readonly status: SyncJobStatus;
  readonly isInitial: boolean;
  readonly errorCode?: SyncErrorCode | null | undefined;
  readonly qualityDegraded: boolean;
  readonly updatedAt: Date;
  readonly finishedAt?: Date | null | undefined;
}

/** `jobs` must contain all open jobs and the latest finished one. */
export function syncStateOf(jobs: readonly ReportedJob[], succeededAt: Date | undefined): SyncState {
  const latest = (some: ReportedJob[]): ReportedJob | undefined =>
    some.sort((a, b) => Number(b.finishedAt ?? b.updatedAt) - Number(a.finishedAt ?? a.updatedAt))[0];
  const running = latest(jobs.filter(({ status }) => status === 'running'));
  const finished = latest(jobs.filter(({ status }) => isFinishedSyncJob(status)));
  return {
    ...(running && { running: { isInitial: running.isInitial, reportedAt: running.updatedAt.toISOString() } }),
    isQueued: jobs.some(({ status }) => status === 'pending' || status === 'queued'),
    ...(finished && {
      finished: {
        status: finished.status,
        ...(finished.errorCode && { errorCode: finished.errorCode }),
        qualityDegraded: finished.qualityDegraded,
      },
    }),
    ...(succeededAt && { succeededAt: succeededAt.toISOString() }),
  };
}
