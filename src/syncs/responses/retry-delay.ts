import type { RetryPolicy } from '../../catalog/model/rate-limits.js';

export const DEFAULT_MAX_RETRIES = 5;
const DEFAULT_MULTIPLIER = 2;
const DEFAULT_MAX_RETRY_SECONDS = 600;

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

interface RetryFacts {
  /** Starts at 1. */
  readonly attempt: number;
  readonly policy?: RetryPolicy | null | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Since the first attempt. */
  readonly elapsedMs?: number;
  /** Defaults to `Math.random`. */
  readonly random?: () => number;
}

/**
 * Returns undefined after the last retry, or if the time for retries has passed. If the vendor requests a delay, adds
 * up to a second to it, so that waiting requests do not all start at the same time. Otherwise uses exponential backoff
 * with full jitter, whose maximum grows from 1 s to 60 s
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export function retryDelayMs({
  attempt,
  policy,
  retryAfterMs,
  elapsedMs = 0,
  random = Math.random,
}: RetryFacts): number | undefined {
  if (attempt > (policy?.maxRetries ?? DEFAULT_MAX_RETRIES)) return undefined;
  const leftMs = (policy?.maxRetryTimeSeconds ?? DEFAULT_MAX_RETRY_SECONDS) * 1_000 - elapsedMs;
  if (leftMs <= 0) return undefined;
  if (retryAfterMs !== undefined && policy?.respectRetryAfter !== false)
    return retryAfterMs + Math.floor(random() * FIRST_DELAY_MS);
  const multiplier = Math.max(1, policy?.backoffMultiplier ?? DEFAULT_MULTIPLIER);
  const cap = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * multiplier ** (attempt - 1));
  return Math.min(Math.floor(random() * cap), leftMs);
}
