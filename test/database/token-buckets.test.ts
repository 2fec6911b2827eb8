import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredConnection } from '../../src/instances/credentials/load-connection.js';
import { SourceRateLimiter } from '../../src/instances/credentials/source-rate-limiter.js';
import {
  consumePerMinute,
  emptyBucket,
  type TokenRate,
  TokenTimeout,
  takeToken,
  waitForToken,
} from '../../src/kernel/concurrency/take-token.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { runtimeUrlOf } from '../support/database/runtime-role.js';

let database: TestDatabase;
let pool: pg.Pool;
let other: pg.Pool;

beforeAll(async () => {
  database = await aDatabase();
  const connectionString = await runtimeUrlOf(database);
  pool = new pg.Pool({ connectionString, max: 20 });
  other = new pg.Pool({ connectionString, max: 20 });
});

afterAll(async () => {
  await Promise.all([pool.end(), other.end()]);
  await database.drop();
});

const SLOW = { capacity: 3, perSecond: 1 / 3_600 };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const asOwner = (text: string, values?: unknown[]) => queryAsOwner({ databaseUrl: database.url }, text, values);

/** Returns how many of 200 concurrent callers on both pools get a token. */
async function countOf(key: string, rate: TokenRate): Promise<number> {
  const takers = Array.from({ length: 200 }, (_, nth) => takeToken(nth % 2 ? pool : other, key, rate));
  return (await Promise.all(takers)).filter(({ ok }) => ok).length;
}

function waitOf(taking: Awaited<ReturnType<typeof takeToken>>): number {
  return taking.ok ? 0 : taking.waitMs;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

describe('takeToken', () => {
  it('returns the tokens of the bucket, then the delay until the next token', async () => {
    for (let time = 0; time < 3; time++) expect(await takeToken(pool, 'a', SLOW)).toEqual({ ok: true });
    const refused = await takeToken(pool, 'a', SLOW);
    expect(refused).toEqual({ ok: false, waitMs: expect.any(Number) });
    expect(Math.abs(waitOf(refused) - 3_600_000)).toBeLessThan(30_000);
  });

  it('separates keys with any text, and stores only their hashes', async () => {
    const keys = ['', 'é\0"\'', 'x'.repeat(1_000_000), 'x'.repeat(1_000_001)];
    for (const key of keys) expect(await takeToken(pool, key, { capacity: 1, perSecond: 0.001 })).toEqual({ ok: true });
    for (const key of keys) expect((await takeToken(pool, key, { capacity: 1, perSecond: 0.001 })).ok).toBe(false);
    const rows = await asOwner('select hash from token_bucket');
    expect(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });

  it('gives 200 callers on two pools exactly the tokens of the bucket', async () => {
    expect(await countOf('burst', { capacity: 25, perSecond: 0.001 })).toBe(25);
  });

  it('also gives callers the tokens that are refilled during the calls, and no more', async () => {
    // With this capacity, the bucket does not become full again between the rounds.
    const rate = { capacity: 100, perSecond: 40 };
    let taken = 0;
    let between = 0;
    const seconds = await secondsOf(async () => {
      taken += await countOf('stream', rate);
      between = await secondsOf(async () => {
        for (let round = 0; round < 3; round++) taken += await countOf('stream', rate);
      });
      taken += await countOf('stream', rate);
    });
    expect(taken).toBeLessThanOrEqual(rate.capacity + rate.perSecond * seconds);
    expect(taken).toBeGreaterThan(rate.capacity + rate.perSecond * between - 1);
  });

  it('refills up to the time at which the lock is acquired', async () => {
    const rate = { capacity: 1, perSecond: 1 };
    await takeToken(pool, 'locked', rate);
    const holder = await pool.connect();
    await holder.query('begin; select * from token_bucket for update');
    const asking = takeToken(other, 'locked', rate);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await holder.query('commit');
    holder.release();
    expect(await asking).toEqual({ ok: true });
  });

  it('writes nothing if there is no token', async () => {
    const row = () => asOwner('select xmin::text, full_at from token_bucket order by full_at desc limit 1');
    for (let time = 0; time < 3; time++) await takeToken(pool, 'refused', SLOW);
    const before = await row();
    await takeToken(pool, 'refused', SLOW);
    expect(await row()).toEqual(before);
  });

  it('deletes buckets that have been full for a day with the first token of another bucket', async () => {
    await asOwner(
      `insert into token_bucket select 'idle ' || n, now() - interval '25 hours' from generate_series(1, 20) n
       union all select 'recent', now() - interval '23 hours'`,
    );
    for (let key = 0; key < 5; key++) await takeToken(pool, `new ${key}`, SLOW);
    const left = await asOwner(`select hash from token_bucket where hash like 'idle%' or hash = 'recent'`);
    expect(left).toEqual([{ hash: 'recent' }]);
  });
});

describe('waitForToken', () => {
  it('releases many waiters one by one at the rate', async () => {
    const rate = { capacity: 5, perSecond: 20 };
    const arrivals: number[] = [];
    const startedAt = performance.now();
    const seconds = await secondsOf(() =>
      Promise.all(
        Array.from({ length: 30 }, async (_, nth) => {
          await waitForToken(nth % 2 ? pool : other, 'queue', rate, { until: inSeconds(60) });
          arrivals.push(performance.now() - startedAt);
        }),
      ),
    );
    // The bucket starts with 5 tokens, and refills the other 25 in 1.25 seconds.
    expect(seconds).toBeGreaterThan(1.2);
    expect(arrivals).toHaveLength(30);
    const early = arrivals.filter((at) => at < 600).length;
    expect(early).toBeLessThanOrEqual(5 + 0.6 * 20 + 1);
  });

  it('throws immediately if the deadline would pass, and takes no token', async () => {
    const rate = { capacity: 1, perSecond: 1 / 300 };
    await takeToken(pool, 'late', rate);
    const before = await takeToken(pool, 'late', rate);
    for (let time = 0; time < 5; time++)
      await expect(waitForToken(pool, 'late', rate, { until: inSeconds(200) })).rejects.toThrow(TokenTimeout);
    const after = await takeToken(pool, 'late', rate);
    expect(waitOf(after)).toBeLessThan(waitOf(before));
  });

  it('reserves at most ten minutes ahead, regardless of the deadline', async () => {
    await takeToken(pool, 'far', { capacity: 1, perSecond: 1 / 700 });
    const waiting = waitForToken(pool, 'far', { capacity: 1, perSecond: 1 / 700 }, { until: inSeconds(86_400) });
    await expect(waiting).rejects.toThrow(TokenTimeout);
  });

  it('throws the reason of its signal', async () => {
    const rate = { capacity: 1, perSecond: 0.1 };
    await takeToken(pool, 'aborted', rate);
    const reason = new Error('enough');
    const abort = new AbortController();
    const aborted = waitForToken(pool, 'aborted', rate, { until: inSeconds(60), signal: abort.signal });
    setTimeout(() => abort.abort(reason), 50);
    await expect(aborted).rejects.toBe(reason);
  });
});

describe('emptyBucket', () => {
  it('delays the next token of every process by the given time, and never shortens a longer delay', async () => {
    const rate = { capacity: 5, perSecond: 5 };
    await emptyBucket(pool, 'paused', rate, 60_000);
    await emptyBucket(other, 'paused', rate, 1_000);
    const refused = await takeToken(other, 'paused', rate);
    expect(refused.ok).toBe(false);
    expect(Math.abs(waitOf(refused) - 60_000)).toBeLessThan(5_000);
  });
});

describe('the rate limits of a source', () => {
  const connection = (tag?: string, requestsPerSecond?: number) =>
    ({
      instanceId: 'i-1',
      connector: { slug: 'acme', concurrencyTagTemplate: tag, rateLimits: requestsPerSecond && { requestsPerSecond } },
    }) as unknown as StoredConnection;
  const orders = { name: 'orders' };
  const isDelayed = async (limits: SourceRateLimiter, from: StoredConnection, tenant: string, tap?: typeof orders) =>
    Promise.race([
      limits
        .throttleOf(from, tenant, tap)
        .acquire()
        .then(
          () => false,
          () => true,
        ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, true)),
    ]);

  it('are shared by all calls with the same tag, and by the calls of one connection without a tag', async () => {
    const limits = new SourceRateLimiter(pool);
    await limits.throttleOf(connection('acme {workspace}', 100), 't-1', orders).pause(60_000);
    expect(await isDelayed(new SourceRateLimiter(other), connection('acme {workspace}', 100), 't-1')).toBe(true);
    expect(await isDelayed(limits, connection('acme {workspace}', 100), 't-2')).toBe(false);
    await limits.throttleOf(connection(undefined, 100), 't-1').pause(60_000);
    expect(await isDelayed(limits, { ...connection(undefined, 100), instanceId: 'i-2' }, 't-1')).toBe(false);
  });

  it('default to 10 requests per second for taps, and do not apply to other calls then', async () => {
    const limits = new SourceRateLimiter(pool);
    await limits.throttleOf(connection('unlimited'), 't-1', orders).pause(60_000);
    expect(await isDelayed(limits, connection('unlimited'), 't-1', orders)).toBe(true);
    expect(await isDelayed(limits, connection('unlimited'), 't-1')).toBe(false);
  });

  it('of a tap apply only to that tap', async () => {
    const limits = new SourceRateLimiter(pool);
    const slow = { ...orders, rateLimits: { requestsPerSecond: 0.001 } };
    const from = connection('per tap', 100);
    expect(await isDelayed(limits, from, 't-1', slow)).toBe(false);
    expect(await isDelayed(limits, from, 't-1', slow)).toBe(true);
    expect(await isDelayed(limits, from, 't-1', { name: 'customers' })).toBe(false);
  });
});

describe('countPerMinute', () => {
  it('allows the limit per minute, then returns the seconds to wait', async () => {
    const counts: Awaited<ReturnType<typeof consumePerMinute>>[] = [];
    const seconds = await secondsOf(async () => {
      counts.push(...(await Promise.all(Array.from({ length: 4 }, () => consumePerMinute(pool, 'validation', 3)))));
    });
    const [refused, ...others] = counts.filter(({ ok }) => !ok);
    expect([refused, others]).toEqual([{ ok: false, retryAfter: expect.any(Number) }, []]);
    const { retryAfter = 0 } = refused as { retryAfter?: number };
    expect(retryAfter).toBeLessThanOrEqual(60 / 3);
    expect(retryAfter).toBeGreaterThanOrEqual(60 / 3 - seconds);
  });
});
