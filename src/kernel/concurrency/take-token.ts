import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { toDatabaseError } from '../errors.js';

/**
 * A rate limit that all processes share. It uses the clock of the database. The database stores only the time when the
 * bucket will be full (generic cell rate algorithm, ITU-T I.371), so one statement can check the bucket and take a
 * token. The statement has its own transaction, because a longer one would block all requests with the same key.
 */
export interface TokenRate {
  /** Tokens of a full bucket, at least 1. Equals the maximum burst. */
  readonly capacity: number;
  /** Greater than 0. */
  readonly perSecond: number;
}

export type TokenResult =
  | { readonly ok: true }
  | { readonly ok: false /** Milliseconds until the next token. */; readonly waitMs: number };

/**
 * The requested tokens become available only after the deadline or after more than 10 minutes. The bucket is unchanged.
 */
export class TokenTimeout extends Error {
  override readonly name = 'TokenTimeout';

  constructor(/** Milliseconds until the requested tokens are available. */ readonly waitMs: number) {
    super('The rate limit allows no further call before the deadline.');
  }
}

const MAX_WAIT_MS = 600_000;

export async function takeToken(pool: Pool, key: string, rate: TokenRate): Promise<TokenResult> {
  const { isTaken, waitMs } = await reserve(pool, key, rate, 0);
  return isTaken ? { ok: true } : { ok: false, waitMs: Math.max(1, waitMs) };
}

/**
 * Reserves the next `tokens` tokens and waits for them, in FIFO order across processes. Throws `TokenTimeout`
 * immediately if the tokens will be available only after `until`, or only after more than 10 minutes. If `signal`
 * aborts the wait, throws the abort reason. After an abort, the reserved tokens do not return to the bucket.
 */
export async function waitForToken(
  pool: Pool,
  key: string,
  rate: TokenRate,
  { until, signal, tokens = 1 }: { until: Date; signal?: AbortSignal | undefined; tokens?: number },
): Promise<void> {
  signal?.throwIfAborted();
  const maxWaitMs = Math.min(Math.max(0, until.getTime() - Date.now()), MAX_WAIT_MS);
  const { isTaken, waitMs } = await reserve(pool, key, rate, maxWaitMs, tokens);
  if (!isTaken) throw new TokenTimeout(waitMs);
  await sleep(waitMs, undefined, signal && { signal }).catch((error) => {
    signal?.throwIfAborted();
    throw error;
  });
}

/**
 * The next token becomes available after `milliseconds`, but after 10 minutes at the latest. Has no effect on a bucket
 * that already stays empty for longer.
 */
export async function emptyBucket(pool: Pool, key: string, rate: TokenRate, milliseconds: number): Promise<void> {
  const seconds = Math.min(milliseconds, MAX_WAIT_MS) / 1_000 + (rate.capacity - 1) / rate.perSecond;
  await pool.query(EMPTY, [hashOf(key), seconds]).catch((error: unknown) => {
    throw toDatabaseError(error);
  });
}

/**
 * Takes one token from a bucket that holds up to `limit` tokens and fills within a minute. If the bucket is empty,
 * returns the whole seconds until the next token.
 */
export async function consumePerMinute(
  pool: Pool,
  key: string,
  limit: number,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly retryAfter: number }> {
  const taken = await takeToken(pool, key, { capacity: limit, perSecond: limit / 60 });
  return taken.ok ? taken : { ok: false, retryAfter: Math.ceil(taken.waitMs / 1_000) };
}

/**
 * $1 bucket, $2 seconds per token times the number of tokens, $3 seconds from empty to full, $4 maximum seconds that
 * the caller waits. PostgreSQL evaluates `clock_timestamp()` after it has locked the row. `now()` would be too early
 * for a caller that waited for the lock. A rejection writes nothing.
 */
const RESERVE = `
insert into token_bucket as b (hash, full_at) values ($1, clock_timestamp() + make_interval(secs => $2))
on conflict (hash) do update set full_at = greatest(b.full_at, clock_timestamp()) + make_interval(secs => $2)
where greatest(b.full_at, clock_timestamp()) + make_interval(secs => $2 - $3 - $4) <= clock_timestamp()
returning xmax = 0 as "isNew", extract(epoch from full_at - clock_timestamp())::float8 - $3::float8 as wait`;

/**
 * Seconds until the requested tokens are available. Runs after RESERVE, because the snapshot of RESERVE may not include
 * the row that caused the rejection.
 */
const ADVISE = `
select extract(epoch from full_at - clock_timestamp())::float8 + $2::float8 - $3::float8 as wait
from token_bucket where hash = $1`;

/** $1 bucket, $2 seconds until the bucket is full. */
const EMPTY = `
insert into token_bucket as b (hash, full_at) values ($1, clock_timestamp() + make_interval(secs => $2))
on conflict (hash) do update set full_at = greatest(b.full_at, excluded.full_at)`;

/**
 * Runs after the insertion of a bucket, and deletes up to 5 buckets that have been full for a day. The deletions bound
 * the size of the table.
 */
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
  maxWaitMs: number,
  tokens = 1,
): Promise<Reserved> {
  const values = [hashOf(key), tokens / perSecond, capacity / perSecond];
  try {
    const [taken] = (await pool.query<{ isNew: boolean; wait: number }>(RESERVE, [...values, maxWaitMs / 1_000])).rows;
    if (taken?.isNew) await pool.query(CLEAR);
    const [row = { wait: 0 }] = taken ? [taken] : (await pool.query<{ wait: number }>(ADVISE, values)).rows;
    return { isTaken: taken !== undefined, waitMs: Math.max(0, Math.ceil(row.wait * 1_000)) };
  } catch (error) {
    throw toDatabaseError(error);
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
