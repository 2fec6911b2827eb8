import type { RateLimits } from '../../catalog/model/rate-limits.js';
import type { SourceCall } from '../../sources/calls/call-source.js';
import type { BatchSender } from './batch-sender.js';
import type { RequestTrace } from './request-trace.js';

export interface TapSource {
  readonly call: SourceCall;
  /** Defaults to the settings of the connector. */
  readonly rateLimits?: Pick<RateLimits, 'resetHeader' | 'retry'>;
  readonly workFolder: string;
  /** Sends the requests of concurrent slices together. */
  readonly batch?: BatchSender | undefined;
  /** Also called after failed requests. */
  readonly onRequest?: (trace: RequestTrace) => void;
  /** Random numbers for the jitter of retry delays. Defaults to `Math.random`. */
  readonly random?: () => number;
  /** Throws the abort reason of the signal. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}
