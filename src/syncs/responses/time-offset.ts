/** A larger difference means that the header is wrong, not the clock. */
const MAX_OFFSET_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns the milliseconds by which the vendor's clock is ahead. The `Date` header has whole seconds, so the result is
 * up to a second too low. A time window therefore never ends after the vendor's current time. `Age` is the number of
 * seconds for which a cache stored the response (RFC 9111, section 5.1). Returns undefined without a valid header.
 */
export function timeOffsetMs(headers: Headers, now: number): number | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  const offset = date + (Number.isFinite(age) ? age * 1_000 : 0) - now;
  return Math.abs(offset) <= MAX_OFFSET_MS ? offset : undefined;
}

/**
 * Returns the time of the vendor's response, even if the response comes from a cache, because caches preserve the
 * `Date` header. Returns undefined without a valid header.
 */
export function respondedAt(headers: Headers, now: number): Date | undefined {
  const date = Date.parse(headers.get('date') ?? '');
  return Math.abs(date - now) <= MAX_OFFSET_MS ? new Date(date) : undefined;
}
