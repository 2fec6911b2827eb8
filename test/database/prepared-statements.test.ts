import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrm } from '../../src/database/orm.js';
import { executePrepared } from '../../src/kernel/execute-prepared.js';
import { PreparedClient } from '../../src/kernel/jobs/prepared-client.js';
import { type QueryConnection, Reader } from '../../src/kernel/reading/reader.js';
import { pooledConnection, scopedConnection } from '../../src/kernel/reading/reader-factory.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await aDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const scope = { setting: 'taproot.tenant', value: '' };

it.each<[string, () => QueryConnection]>([
  ['a pool', () => pooledConnection(pool)],
  ['a pool under a scope', () => scopedConnection(pool, scope)],
])(
  'a connection of %s closes its oldest prepared statements beyond 300, and can prepare them again',
  async (_, connect) => {
    const connection = connect();
    const ask = (text: string): Promise<(string | null)[][]> =>
      new Reader({ of: () => undefined as never }, connection).rows(text, []);
    for (let number = 0; number < 400; number++) expect(await ask(`select ${number}`)).toEqual([[String(number)]]);
    const [row] = await ask('select count(*) from pg_prepared_statements');
    // Not exactly 300, because the statement that sets the scope is also prepared.
    expect(Math.abs(Number(row?.[0]) - 300)).toBeLessThan(5);
    expect(await ask('select 0')).toEqual([['0']]);
  },
);

it('a statement that jobs repeat is parsed once per connection', async () => {
  const orm = createOrm(database.url);
  const texts = await orm.em.transactional(async (em) => {
    for (const number of [1, 2]) {
      const rows = await executePrepared(em, 'select ? + 1 as next, ?::text as text', [number, "it's"]);
      expect(rows).toEqual([{ next: number + 1, text: "it's" }]);
    }
    return em.execute<{ statement: string }[]>('select statement from pg_prepared_statements');
  });
  await orm.close();
  expect(texts).toEqual([{ statement: 'select $1 + 1 as next, $2::text as text' }]);
});

it('a statement of the job queue is parsed once per connection', async () => {
  const client: pg.Client = new PreparedClient({ connectionString: database.url });
  await client.connect();
  for (const number of [1, 2])
    expect((await client.query('select $1::int + 1 as next', [number])).rows).toEqual([{ next: number + 1 }]);
  expect((await client.query('select 1 as one; select 2 as two')) as unknown).toHaveLength(2);
  const { rows } = await client.query('select statement from pg_prepared_statements');
  await client.end();
  expect(rows).toEqual([{ statement: 'select $1::int + 1 as next' }]);
});
