const MINUTE_MS = 60_000;

/** For trouble that comes again with each try: the function says whether it is to be told, which is the first time, and then once a minute. */
export function throttlePerMinute(now: () => number = Date.now): () => boolean {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at < quietUntil) return false;
    quietUntil = at + MINUTE_MS;
    return true;
  };
}
