import type { TapReadError } from '../tap-read-error.js';
import type { TapRun } from '../tap-run.js';
import type { RunEnd } from './run-end.js';

/** Maximum number of consecutive waits of a tap run, if the run reads no page between them. */
const MAX_IDLE_WAITS = 100;

/** Delay if the vendor's response does not contain the time of the next allowed request. */
const DEFAULT_WAIT_MS = 60_000;

export function afterWait({ retryAfterMs = DEFAULT_WAIT_MS }: TapReadError): Date {
  return new Date(Date.now() + retryAfterMs);
}

export function positionAfterWait(
  { idleWaits }: TapRun,
  error: TapReadError,
  hasPages: boolean,
): Pick<TapRun, 'status' | 'notBefore' | 'idleWaits'> {
  return { status: 'waiting', notBefore: afterWait(error), idleWaits: hasPages ? 0 : idleWaits + 1 };
}

/** Returns undefined if the run may continue. */
export function waitedTooOften({ idleWaits }: TapRun, { errorClass, message }: TapReadError): RunEnd | undefined {
  if (idleWaits <= MAX_IDLE_WAITS) return undefined;
  const errorMessage = `${message} The tap run has waited more than ${MAX_IDLE_WAITS} times in a row without reading a page.`;
  return { status: 'failed', errorClass, errorMessage };
}
