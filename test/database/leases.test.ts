import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HeldLease, keepRenewed, Lease, type LeasedRow, LeaseLost } from '../../src/kernel/concurrency/lease.js';
import { decodeId, newId } from '../../src/kernel/ids.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';

const LIFE_SECONDS = 60;
const COMPETITORS = 20;

const lease = new Lease({ table: 'leased', key: 'id', holder: 'holder', until: 'expires_at' });

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await aDatabase({ empty: true });
  pool = new pg.Pool({ connectionString: database.url, max: COMPETITORS });
  await pool.query(`create table leased (
    tenant_id uuid not null, id uuid not null, version int not null default 1, status text not null default 'new',
    holder uuid, expires_at timestamptz(3)
  )`);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const query: LeasedRow['query'] = async (text, values) =>
  (await pool.query({ text, values: [...values], rowMode: 'array' })).rows;

async function aRow(): Promise<LeasedRow> {
  const row = { tenantId: newId(), id: newId(), query };
  await pool.query('insert into leased (tenant_id, id) values ($1, $2)', [decodeId(row.tenantId), decodeId(row.id)]);
  return row;
}

async function columnsOf({ id }: LeasedRow) {
  const { rows } = await pool.query(
    `select holder, status, extract(epoch from expires_at - clock_timestamp())::float8 as "secondsLeft"
     from leased where id = $1`,
    [decodeId(id)],
  );
  return rows[0];
}

async function expire({ id }: LeasedRow): Promise<void> {
  const text = `update leased set expires_at = clock_timestamp() - interval '1 ms' where id = $1`;
  await pool.query(text, [decodeId(id)]);
}

const acquire = async (row: LeasedRow): Promise<HeldLease> =>
  (await lease.acquire(row, LIFE_SECONDS)) ?? expect.fail('the lease is held');

async function aLostLease(row: LeasedRow): Promise<{ lost: HeldLease; current: HeldLease }> {
  const lost = await acquire(row);
  await expire(row);
  return { lost, current: await acquire(row) };
}

describe('acquire', () => {
  it('gives the lease to one of many concurrent callers, until it expires', async () => {
    const row = await aRow();
    const all = await Promise.all(Array.from({ length: COMPETITORS }, () => lease.acquire(row, LIFE_SECONDS)));
    const [held, ...others] = all.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    const { holder, secondsLeft } = await columnsOf(row);
    expect(holder).toBe(held?.holder);
    expect(Math.abs(secondsLeft - LIFE_SECONDS)).toBeLessThan(30);
    await pool.query(`update leased set expires_at = clock_timestamp() + interval '10 s' where id = $1`, [
      decodeId(row.id),
    ]);
    expect(await lease.acquire(row, LIFE_SECONDS)).toBeUndefined();
  });

  it('takes an expired lease over with another token', async () => {
    const row = await aRow();
    const { lost, current } = await aLostLease(row);
    expect(current.holder).not.toBe(lost.holder);
    expect((await columnsOf(row)).holder).toBe(current.holder);
  });

  it('gives the lease to the next caller if its holder was removed', async () => {
    const row = await aRow();
    await acquire(row);
    await pool.query('update leased set holder = null where id = $1', [decodeId(row.id)]);
    await acquire(row);
  });

  it('changes neither other rows nor rows of other workspaces', async () => {
    const [row, other] = [await aRow(), await aRow()];
    expect(await lease.acquire({ ...row, tenantId: other.tenantId }, LIFE_SECONDS)).toBeUndefined();
    expect(await lease.acquire({ ...row, id: newId() }, LIFE_SECONDS)).toBeUndefined();
    await acquire(row);
    expect(await columnsOf(other)).toMatchObject({ holder: null, secondsLeft: null });
  });

  it('acquires the lease only if its condition is true, and then makes its assignment', async () => {
    const conditional = new Lease({
      ...{ table: 'leased', key: 'id', holder: 'holder', until: 'expires_at' },
      ...{ condition: 'version = $4', assignment: `status = 'busy'` },
    });
    const row = await aRow();
    expect(await conditional.acquire(row, LIFE_SECONDS, 2)).toBeUndefined();
    expect(await columnsOf(row)).toMatchObject({ holder: null, status: 'new' });
    expect(await conditional.acquire(row, LIFE_SECONDS, 1)).toBeDefined();
    expect(await columnsOf(row)).toMatchObject({ holder: expect.any(String), status: 'busy' });
  });
});

describe('renew', () => {
  it('extends the lease of its holder', async () => {
    const row = await aRow();
    const held = await acquire(row);
    await expire(row);
    expect(await lease.renew(row, held, LIFE_SECONDS)).toBe(true);
    expect((await columnsOf(row)).secondsLeft).toBeGreaterThan(LIFE_SECONDS / 2);
    expect(await lease.acquire(row, LIFE_SECONDS)).toBeUndefined();
  });

  it('fails after a takeover and changes nothing', async () => {
    const row = await aRow();
    const { lost, current } = await aLostLease(row);
    expect(await lease.renew(row, lost, 10 * LIFE_SECONDS)).toBe(false);
    const { holder, secondsLeft } = await columnsOf(row);
    expect(holder).toBe(current.holder);
    // Slightly more than `LIFE_SECONDS` is possible, because PostgreSQL rounds the time to milliseconds.
    expect(secondsLeft).toBeLessThan(2 * LIFE_SECONDS);
  });
});

describe('release', () => {
  it('lets another holder acquire the lease', async () => {
    const row = await aRow();
    await lease.release(row, await acquire(row));
    expect(await columnsOf(row)).toMatchObject({ holder: null, secondsLeft: null });
    await acquire(row);
  });

  it('changes nothing after a takeover, or in another workspace', async () => {
    const row = await aRow();
    const { lost, current } = await aLostLease(row);
    await lease.release(row, lost);
    await lease.release({ ...row, tenantId: newId() }, current);
    expect((await columnsOf(row)).holder).toBe(current.holder);
    expect(await lease.acquire(row, LIFE_SECONDS)).toBeUndefined();
  });
});

it('isFree holds for rows without a holder and for expired leases', async () => {
  const row = await aRow();
  const isFree = async () => {
    const { rows } = await pool.query(`select ${lease.isFree} as free from leased where id = $1`, [decodeId(row.id)]);
    return rows[0].free;
  };
  expect(await isFree()).toBe(true);
  await acquire(row);
  expect(await isFree()).toBe(false);
  await expire(row);
  expect(await isFree()).toBe(true);
});

it('a lease without a column for the holder is identified by its expiry', async () => {
  const byExpiry = new Lease({ table: 'leased', key: 'id', holder: 'expires_at', until: 'expires_at' });
  const row = await aRow();
  // With different lifetimes, the leases expire at different times, even if both are acquired in the same millisecond.
  const lost = (await byExpiry.acquire(row, 2 * LIFE_SECONDS)) as HeldLease;
  expect(await byExpiry.acquire(row, LIFE_SECONDS)).toBeUndefined();
  await expire(row);
  const current = (await byExpiry.acquire(row, LIFE_SECONDS)) as HeldLease;
  await byExpiry.release(row, lost);
  expect(await byExpiry.acquire(row, LIFE_SECONDS)).toBeUndefined();
  await byExpiry.release(row, current);
  expect(await columnsOf(row)).toMatchObject({ holder: null, secondsLeft: null });
});

it('work under a lease that another holder has taken over is aborted', async () => {
  const row = await aRow();
  const lifeSeconds = 1;
  const held = (await lease.acquire(row, lifeSeconds)) as HeldLease;
  const renew = () => lease.renew(row, held, lifeSeconds);
  await expire(row);
  await acquire(row);
  const reason = await keepRenewed({ lifeSeconds, acquiredAt: held.acquiredAt, renew }, async (signal) => {
    await once(signal, 'abort');
    return signal.reason;
  });
  expect(reason).toBeInstanceOf(LeaseLost);
});
