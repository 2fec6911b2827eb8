import { parseRetryAfter } from '../../sources/responses/retry-after.js';

/** Names that sources use for the header with the number of remaining requests. */
const REMAINING_HEADERS = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'];

/** Returns whether the headers prove that a response with status 403 reports a rate limit, as GitHub's responses do. */
export function showsRateLimit(headers: Headers): boolean {
  return headers.has('retry-after') || REMAINING_HEADERS.some((name) => Number(headers.get(name) ?? Number.NaN) === 0);
}

/** `Retry-After` overrides the reset header of the definition. */
export function rateLimitWaitMs(headers: Headers, resetHeader: string | undefined, now: number): number | undefined {
  const reset = resetHeader ? headers.get(resetHeader) : undefined;
  return parseRetryAfter(headers.get('retry-after'), now) ?? parseRetryAfter(reset, now);
}
