import { LRUCache } from 'lru-cache';
import type { SourceCall } from '../../sources/calls/call-source.js';
import { baseUrlOf } from '../../sources/source-address.js';
import { timeOffsetMs } from '../responses/time-offset.js';

/** Clock offsets by origin. Processes do not share them, because the clock of one process may be wrong. */
const offsets = new LRUCache<string, number>({ max: 10_000, ttl: 10 * 60_000 });

/** The `Date` header has whole seconds. */
const PRECISION_MS = 1_000;

/** A slower response does not show precisely when the vendor wrote the `Date` header. */
const MAX_DURATION_MS = 5_000;
const TIMEOUT_MS = 5_000;

interface TimedResponse {
  readonly url: string;
  readonly headers: Headers;
  /** In milliseconds since 1970. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Ignores a slow response, and a response without a valid `Date`. */
export function observeClock({ url, headers, sentAt, receivedAt }: TimedResponse): void {
  const latest = timeOffsetMs(headers, receivedAt);
  const durationMs = receivedAt - sentAt;
  const origin = URL.parse(url)?.origin;
  if (origin === undefined || latest === undefined || durationMs > MAX_DURATION_MS) return;
  const isEqual = latest <= 0 && latest + PRECISION_MS + durationMs >= 0;
  offsets.set(origin, isEqual ? 0 : latest);
}

/**
 * Returns how many milliseconds the vendor's clock is ahead, or 0 if the difference is unknown or too small to
 * measure. If the vendor sent no response in the last 10 minutes, sends a request without credentials.
 */
export async function clockOffsetMs(call: SourceCall): Promise<number> {
  const origin = await originOf(call);
  if (origin === undefined) return 0;
  if (!offsets.has(origin)) await measure(call, origin);
  return offsets.get(origin) ?? 0;
}

async function originOf({ connection, sessions }: SourceCall): Promise<string | undefined> {
  try {
    return baseUrlOf(connection, (await sessions.read())?.session.addressValues).origin;
  } catch {
    return undefined; // The first request of the tap reports the error.
  }
}

async function measure({ send, throttle }: SourceCall, origin: string): Promise<void> {
  offsets.set(origin, 0);
  try {
    const release = await throttle?.acquire();
    try {
      const sentAt = Date.now();
      const { headers } = await send(`${origin}/`, { method: 'HEAD', timeoutMs: TIMEOUT_MS });
      observeClock({ url: origin, headers, sentAt, receivedAt: Date.now() });
    } finally {
      await release?.();
    }
  } catch {
    // Without a response, the service assumes that the clocks are equal.
  }
}
