import { SyncErrorClass } from '../catalog/model/sync-error-class.js';

export { SyncErrorClass };

/**
 * The reaction of a run to a failure.
 * - `retry`: repeats the request, with backoff.
 * - `wait`: repeats the request after the required delay, such as `Retry-After`.
 * - `restart`: reads the slice in full, because its cursor has expired.
 * - `skip_slice`, `skip_tap`: continues without the records of the slice or tap.
 * - `refresh_session`: repeats the request once with a new session.
 * - `reset_paging`: reads the slice from its first page.
 * - `split_window`: reads the window in halves.
 * - `fail_tap`: stops the tap and keeps its last data.
 * - `stop_run`: stops all taps of the connection.
 */
export type FailureAction = RepeatingAction | 'skip_slice' | 'skip_tap' | 'fail_tap' | 'stop_run';

type RepeatingAction = 'retry' | 'wait' | 'restart' | 'refresh_session' | 'reset_paging' | 'split_window';

interface TapReadErrorDetails {
  /** Delay before the next allowed request. Undefined if the vendor's response contains no delay. */
  readonly retryAfterMs?: number | undefined;
  /** Undefined without a response. */
  readonly status?: number | undefined;
  /** Only for the log, because the cause may contain text of the vendor. */
  readonly cause?: unknown;
}

/** `message` contains no text of the vendor and no secrets. */
export class TapReadError extends Error {
  override readonly name = 'TapReadError';
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;

  constructor(
    readonly errorClass: SyncErrorClass,
    readonly action: FailureAction,
    message: string,
    { retryAfterMs, status, cause }: TapReadErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}
