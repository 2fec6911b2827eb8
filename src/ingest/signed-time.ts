import type { SignatureFormat } from '../catalog/inbound-auth-strategy.js';
import { readInstant } from '../kernel/read-instant.js';

type Unit = NonNullable<SignatureFormat['timestampUnit']>;

/** Milliseconds that the clock of a sender may be ahead of ours. */
const AHEAD = 60_000;

/** Milliseconds since 1970 of the one spelling that there is in each unit. */
const READERS: Record<Unit, (text: string) => number | undefined> = {
  seconds: (text) => (/^[1-9]\d{0,10}$/.test(text) ? Number(text) * 1_000 : undefined),
  milliseconds: (text) => (/^[1-9]\d{0,13}$/.test(text) ? Number(text) : undefined),
  iso8601: (text) => readInstant(text)?.getTime(),
};

/** When a delivery was signed, in milliseconds since 1970; undefined where the text is no time, or one outside of the window. */
export function readSignedTime(text: string, unit: Unit, windowSeconds: number, now: number): number | undefined {
  const at = READERS[unit](text);
  if (at === undefined || at < now - windowSeconds * 1_000 || at > now + AHEAD) return undefined;
  return at;
}
