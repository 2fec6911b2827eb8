const MINUTE_MS = 60_000;

/**
 * Limits reports of a recurring error. The returned function returns true for the first call, and then at most once a
 * minute.
 */
export function throttlePerMinute(now: () => number = Date.now): () => boolean {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at < quietUntil) return false;
    quietUntil = at + MINUTE_MS;
    return true;
  };
}
