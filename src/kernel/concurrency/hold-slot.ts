import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { toDatabaseError } from '../errors.js';
import { pollUntil } from './lease.js';

/** The slot of a killed process becomes free after this time. */
const LIFE_SECONDS = 30;

const RETRY_MS = 20;
const MAX_RETRY_MS = 500;

/**
 * $1 hash of the key, $2 limit, $3 holder, $4 seconds. Returns no row if all slots are held or a concurrent caller took
 * the chosen slot.
 */
const ACQUIRE = `
insert into concurrency_slot as s (hash, slot, holder, held_until)
select $1, n.slot, $3, clock_timestamp() + make_interval(secs => $4)
from generate_series(1, $2::int) n(slot)
where not exists (
  select from concurrency_slot h where h.hash = $1 and h.slot = n.slot and h.held_until > clock_timestamp()
)
order by random() limit 1
on conflict (hash, slot) do update set holder = excluded.holder, held_until = excluded.held_until
where s.held_until <= clock_timestamp()
returning slot`;

const RENEW = `
update concurrency_slot set held_until = clock_timestamp() + make_interval(secs => $3) where hash = $1 and holder = $2`;

/** Also deletes up to 5 slots that killed processes left behind. These slots expired more than a day ago. */
const RELEASE = `
delete from concurrency_slot where hash = $1 and holder = $2 or (hash, slot) in (
  select hash, slot from concurrency_slot where held_until < now() - interval '1 day' limit 5 for update skip locked
)`;

interface SlotLimit {
  readonly key: string;
  /** Number of slots that all processes share, at least 1. */
  readonly limit: number;
}

interface SlotWait {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly lifeSeconds?: number;
}

/**
 * Waits for a slot, and renews it until its release. Returns the function that releases the slot, or undefined if no
 * slot becomes free within `waitMs`. Throws the abort reason of `signal`.
 */
export async function holdSlot(
  pool: Pool,
  { key, limit }: SlotLimit,
  { waitMs, signal, lifeSeconds = LIFE_SECONDS }: SlotWait,
): Promise<(() => Promise<void>) | undefined> {
  const hash = createHash('sha256').update(key).digest('hex');
  const holder = randomUUID();
  const acquire = async (): Promise<true | undefined> => {
    const { rows } = await pool.query(ACQUIRE, [hash, limit, holder, lifeSeconds]);
    return rows.length > 0 || undefined;
  };
  const times = { deadline: performance.now() + waitMs, intervalMs: RETRY_MS, maxIntervalMs: MAX_RETRY_MS, signal };
  const isHeld = await pollUntil(acquire, times).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw toDatabaseError(error);
  });
  if (!isHeld) return undefined;
  const renewing = setInterval(
    () => void pool.query(RENEW, [hash, holder, lifeSeconds]).catch(() => undefined), // A later renewal may succeed.
    (lifeSeconds * 1_000) / 3,
  ).unref();
  return async () => {
    clearInterval(renewing);
    await pool.query(RELEASE, [hash, holder]).catch(() => undefined); // The slot expires if this fails.
  };
}
