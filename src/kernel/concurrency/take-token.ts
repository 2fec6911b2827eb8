import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { toDatabaseError } from '../errors.js';

/**
 * Rates that all processes share, in the database and by its clock. A bucket holds `capacity` tokens, gets `perSecond` new ones, and is
 * kept as the time at which it will be full again (the generic cell rate algorithm, ITU-T I.371): one statement finds out and takes. It
 * runs in a transaction of its own, since a row locked until the end of a longer one would hold up everybody with that key.
 */
export interface TokenRate {
  /** Tokens of a full bucket, 1 at least: the most that can be taken at once. */
  readonly capacity: number;
  /** New tokens a second, more than 0. */
  readonly perSecond: number;
}

export type TokenResult =
  | { readonly ok: true }
  | { readonly ok: false /** Milliseconds until it is worth trying. */; readonly waitMs: number };

/** The token would not have come before the deadline; none was taken. */
export class TokenTimeout extends Error {
  override readonly name = 'TokenTimeout';

  constructor(/** Milliseconds that it would have taken. */ readonly waitMs: number) {
    super('The rate is used up beyond the deadline.');
  }
}

/** Milliseconds of debt that a bucket can have, so that nobody reserves what comes hours later. */
const MAX_WAIT_MS = 600_000;

/** Takes a token if there is one. Any text is a good key. */
export async function takeToken(pool: Pool, key: string, rate: TokenRate): Promise<TokenResult> {
  const { isTaken, waitMs } = await reserve(pool, key, rate, 0);
  return isTaken ? { ok: true } : { ok: false, waitMs: Math.max(1, waitMs) };
}

/**
 * Takes the next token, waiting for it: those who wait have reserved one each, in the order in which they came. Throws `TokenTimeout` at
 * once where it would come after `until`, and what the signal was aborted with; a token that was waited for in vain is spent.
 */
export async function waitForToken(
  pool: Pool,
  key: string,
  rate: TokenRate,
  { until, signal }: { until: Date; signal?: AbortSignal },
): Promise<void> {
  signal?.throwIfAborted();
  const patience = Math.min(Math.max(0, until.getTime() - Date.now()), MAX_WAIT_MS);
  const { isTaken, waitMs } = await reserve(pool, key, rate, patience);
  if (!isTaken) throw new TokenTimeout(waitMs);
  await sleep(waitMs, undefined, { signal }).catch((error) => {
    signal?.throwIfAborted();
    throw error;
  });
}

/** Counts one of at most `limit` a minute; `retryAfter` is in whole seconds. */
export async function consumePerMinute(
  pool: Pool,
  key: string,
  limit: number,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly retryAfter: number }> {
  const taken = await takeToken(pool, key, { capacity: limit, perSecond: limit / 60 });
  return taken.ok ? taken : { ok: false, retryAfter: Math.ceil(taken.waitMs / 1_000) };
}

/**
 * $1 the bucket, $2 seconds that a token takes to come, $3 seconds from empty to full, $4 seconds that its taker would wait. On conflict
 * the clock is read once the row is locked, else who waited for the lock would count from before it. A refusal writes nothing.
 */
const RESERVE = `
insert into token_bucket as b (hash, full_at) values ($1, clock_timestamp() + make_interval(secs => $2))
on conflict (hash) do update set full_at = greatest(b.full_at, clock_timestamp()) + make_interval(secs => $2)
where greatest(b.full_at, clock_timestamp()) + make_interval(secs => $2 - $3 - $4) <= clock_timestamp()
returning xmax = 0 as "isNew", extract(epoch from full_at - clock_timestamp())::float8 - $3::float8 as wait`;

/** How long the next token would take. A statement of its own, since one that was refused may not see what it was refused for. */
const ADVISE = `
select extract(epoch from full_at - clock_timestamp())::float8 + $2::float8 - $3::float8 as wait
from token_bucket where hash = $1`;

/** Each new bucket takes a few with it that have been full for a day, so there are never many more than are in use. */
const CLEAR = `
delete from token_bucket where hash in (
  select hash from token_bucket where full_at < now() - interval '1 day' order by full_at limit 5 for update skip locked
)`;

interface Reserved {
  readonly isTaken: boolean;
  readonly waitMs: number;
}

async function reserve(
  pool: Pool,
  key: string,
  { capacity, perSecond }: TokenRate,
  patience: number,
): Promise<Reserved> {
  const hash = createHash('sha256').update(key).digest('hex');
  const values = [hash, 1 / perSecond, capacity / perSecond];
  try {
    const [taken] = (await pool.query<{ isNew: boolean; wait: number }>(RESERVE, [...values, patience / 1_000])).rows;
    if (taken?.isNew) await pool.query(CLEAR);
    const [row = { wait: 0 }] = taken ? [taken] : (await pool.query<{ wait: number }>(ADVISE, values)).rows;
    return { isTaken: taken !== undefined, waitMs: Math.max(0, Math.ceil(row.wait * 1_000)) };
  } catch (error) {
    throw toDatabaseError(error);
  }
}
