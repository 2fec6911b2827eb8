import { parseRetryAfter } from '../../sources/responses/retry-after.js';

const REMAINING_HEADERS = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'];

/** GitHub, for example, reports a rate limit with status 403 and these headers. */
export function showsRateLimit(headers: Headers): boolean {
  return headers.has('retry-after') || REMAINING_HEADERS.some((name) => Number(headers.get(name) ?? Number.NaN) === 0);
}

/** `Retry-After` overrides the reset header of the definition. */
export function rateLimitWaitMs(headers: Headers, resetHeader: string | undefined, now: number): number | undefined {
  const reset = resetHeader ? headers.get(resetHeader) : undefined;
  return parseRetryAfter(headers.get('retry-after'), now) ?? parseRetryAfter(reset, now);
}
