const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Numbers at or above these limits are times, not durations. Both limits are the same time, in September 2001. */
const MIN_EPOCH_SECONDS = 1e9;
const MIN_EPOCH_MILLISECONDS = 1e12;

/**
 * Parses Retry-After (RFC 9110, section 10.2.3) or a similar header: a number of seconds, an HTTP or ISO 8601 date, or
 * a number of seconds or milliseconds since 1970. Returns milliseconds, at most a day. Returns undefined for other
 * values.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  const trimmed = text?.trim();
  if (!trimmed) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(trimmed) ? waitMsOf(Number(trimmed), now) : Date.parse(trimmed) - now;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(Math.max(Math.ceil(wait), 0), MAX_RETRY_AFTER_MS);
}

function waitMsOf(number: number, now: number): number {
  if (number >= MIN_EPOCH_MILLISECONDS) return number - now;
  return number >= MIN_EPOCH_SECONDS ? number * 1000 - now : number * 1000;
}
