import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateLimits } from '../../src/catalog/model/rate-limits.js';
import type { StoredConnection } from '../../src/instances/credentials/load-connection.js';
import { SourceRateLimiter } from '../../src/instances/credentials/source-rate-limiter.js';
import { holdSlot } from '../../src/kernel/concurrency/hold-slot.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { runtimeUrlOf } from '../support/database/runtime-role.js';

let database: TestDatabase;
let pools: pg.Pool[];

beforeAll(async () => {
  database = await aDatabase();
  const connectionString = await runtimeUrlOf(database);
  pools = [1, 2].map(() => new pg.Pool({ connectionString, max: 10 }));
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

const poolOf = (nth: number) => pools[nth % 2] as pg.Pool;
const isFree = async (key: string, limit = 1) =>
  (await holdSlot(poolOf(0), { key, limit }, { waitMs: 0 })) !== undefined;

describe('holdSlot', () => {
  it('lets all processes together hold as many slots as the limit', async () => {
    let [held, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 30 }, async (_, nth) => {
        const release = await holdSlot(poolOf(nth), { key: 'shared', limit: 3 }, { waitMs: 60_000 });
        most = Math.max(most, ++held);
        await sleep(5);
        held -= 1;
        await release?.();
      }),
    );
    expect([most, held]).toEqual([3, 0]);
  });

  it('returns undefined if no slot is free in time', async () => {
    const release = await holdSlot(poolOf(0), { key: 'busy', limit: 1 }, { waitMs: 0 });
    expect(await holdSlot(poolOf(1), { key: 'busy', limit: 1 }, { waitMs: 50 })).toBeUndefined();
    await release?.();
    expect(await isFree('busy')).toBe(true);
  });

  it('ends the wait for a slot with the reason of the signal', async () => {
    const release = await holdSlot(poolOf(0), { key: 'aborted', limit: 1 }, { waitMs: 0 });
    const abort = new AbortController();
    const waiting = holdSlot(poolOf(1), { key: 'aborted', limit: 1 }, { waitMs: 60_000, signal: abort.signal });
    const reason = new Error('cancelled');
    setTimeout(() => abort.abort(reason), 50);
    await expect(waiting).rejects.toBe(reason);
    await release?.();
    expect(await isFree('aborted')).toBe(true);
  });

  it('frees the slot of a killed process after its lifetime, and renews the slot of a running process', async () => {
    await holdSlot(poolOf(0), { key: 'renewed', limit: 1 }, { waitMs: 0, lifeSeconds: 1 });
    await holdSlot(poolOf(0), { key: 'killed', limit: 1 }, { waitMs: 0 });
    await queryAsOwner(
      { databaseUrl: database.url },
      "update concurrency_slot set holder = gen_random_uuid()  where held_until > now() + interval '10 s'",
    );
    expect(await isFree('killed')).toBe(false);
    await queryAsOwner(
      { databaseUrl: database.url },
      `update concurrency_slot set held_until = now() where held_until > now() + interval '10 s'`,
    );
    await sleep(1_500);
    expect([await isFree('renewed'), await isFree('killed')]).toEqual([false, true]);
  });
});

describe('the limits of a source', () => {
  const connection = (rateLimits: RateLimits, tag = 'acme {workspace}') =>
    ({
      instanceId: 'i-1',
      connector: { slug: 'acme', concurrencyTagTemplate: tag, rateLimits },
    }) as unknown as StoredConnection;
  const orders = { name: 'orders' };

  async function mostAtOnce(...throttleOf: Parameters<SourceRateLimiter['throttleOf']>): Promise<number> {
    let [open, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 12 }, async (_, nth) => {
        const release = await new SourceRateLimiter(poolOf(nth)).throttleOf(...throttleOf).acquire();
        most = Math.max(most, ++open);
        await sleep(20);
        open -= 1;
        await release();
      }),
    );
    return most;
  }

  it('include maxConcurrent, shared by all calls with the same tag', async () => {
    expect(await mostAtOnce(connection({ maxConcurrent: 2, requestsPerSecond: 1_000 }), 't-1', orders)).toBe(2);
  });

  it('include maxConcurrent of a tap, and of an override', async () => {
    const from = connection({ maxConcurrent: 5, requestsPerSecond: 1_000 });
    expect(await mostAtOnce(from, 't-2', { ...orders, rateLimits: { maxConcurrent: 1 } })).toBe(1);
    expect(await mostAtOnce(from, 't-3', { ...orders, rateLimitOverride: { maxConcurrent: 3 } })).toBe(3);
  });

  it('apply to several windows together, and count the weight of a request', async () => {
    const limits = { requestsPerSecond: 1_000, windows: [{ requests: 40, seconds: 86_400 }] };
    const accepted = async (tenant: string, requestWeight: number) => {
      const tap = { ...orders, rateLimits: { requestWeight } };
      const throttle = new SourceRateLimiter(poolOf(0)).throttleOf(connection(limits), tenant, tap);
      for (let count = 0; ; count++)
        if (
          !(await throttle.acquire().then(
            () => true,
            () => false,
          ))
        )
          return count;
    };
    expect([await accepted('t-4', 1), await accepted('t-5', 2)]).toEqual([4, 2]);
  });
});
