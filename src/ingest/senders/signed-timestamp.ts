import type { SignatureFormat } from '../../catalog/model/inbound-auth-strategy.js';
import { parseTimestamp } from '../../kernel/formats/parse-timestamp.js';

type Unit = NonNullable<SignatureFormat['timestampUnit']>;

/** Milliseconds that the clock of a sender may be ahead of ours. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Milliseconds since 1970 of the one spelling that there is in each unit. */
const PARSERS: Record<Unit, (text: string) => number | undefined> = {
  seconds: (text) => (/^[1-9]\d{0,10}$/.test(text) ? Number(text) * 1_000 : undefined),
  milliseconds: (text) => (/^[1-9]\d{0,13}$/.test(text) ? Number(text) : undefined),
  iso8601: (text) => parseTimestamp(text)?.getTime(),
};

/** When a delivery was signed, in milliseconds since 1970; undefined where the text is no time, or one outside of the window. */
export function parseSignedTimestamp(text: string, unit: Unit, windowSeconds: number, now: number): number | undefined {
  const at = PARSERS[unit](text);
  if (at === undefined || at < now - windowSeconds * 1_000 || at > now + MAX_CLOCK_SKEW_MS) return undefined;
  return at;
}
