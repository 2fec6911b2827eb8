import type { RateLimits } from '../../catalog/model/rate-limits.js';
import type { SourceCall } from '../../sources/calls/call-source.js';
import type { BatchSender } from './batch-sender.js';
import type { RequestTrace } from './request-trace.js';

/** A connection, and the settings for reading its taps. */
export interface TapSource {
  readonly call: SourceCall;
  /** Defaults to the settings of the connector. */
  readonly rateLimits?: Pick<RateLimits, 'resetHeader' | 'retry'>;
  /** Folder for responses that do not fit into memory. */
  readonly workFolder: string;
  /** Sends the requests of concurrent slices together. */
  readonly batch?: BatchSender | undefined;
  /** Called after each request, including failed requests. */
  readonly onRequest?: (trace: RequestTrace) => void;
  /** Returns a number from 0 up to 1 for the jitter of retry delays. Defaults to `Math.random`. */
  readonly random?: () => number;
  /** Throws the abort reason of the signal. Tests replace this function to avoid delays. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}
