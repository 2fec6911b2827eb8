import type { SignatureFormat } from '../../catalog/model/inbound-auth-strategy.js';
import { parseTimestamp } from '../../kernel/formats/parse-timestamp.js';

type Unit = NonNullable<SignatureFormat['timestampUnit']>;

/** Maximum time by which the sender's clock may be ahead of the database clock. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Each parser accepts only the canonical notation of its unit, and returns milliseconds since 1970. */
const PARSERS: Record<Unit, (text: string) => number | undefined> = {
  seconds: (text) => (/^[1-9]\d{0,10}$/.test(text) ? Number(text) * 1_000 : undefined),
  milliseconds: (text) => (/^[1-9]\d{0,13}$/.test(text) ? Number(text) : undefined),
  iso8601: (text) => parseTimestamp(text)?.getTime(),
};

/** Returns undefined if the text is invalid or the time is outside the window. */
export function parseSignedTimestamp(text: string, unit: Unit, windowSeconds: number, now: number): number | undefined {
  const at = PARSERS[unit](text);
  if (at === undefined || at < now - windowSeconds * 1_000 || at > now + MAX_CLOCK_SKEW_MS) return undefined;
  return at;
}
