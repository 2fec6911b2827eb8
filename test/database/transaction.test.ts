import { setImmediate } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrm } from '../../src/database/orm.js';
import { TransactionClient } from '../../src/database/transaction-client.js';
import { EntityTables } from '../../src/kernel/entities/entity-tables.js';
import { toAppError } from '../../src/kernel/errors.js';
import { deferPrepared, executePrepared } from '../../src/kernel/execute-prepared.js';
import { newId } from '../../src/kernel/ids.js';
import { runTenantTransaction } from '../../src/kernel/reading/tenant-transaction.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { runtimeUrlOf } from '../support/database/runtime-role.js';
import { waitUntil } from '../support/database/test-jobs.js';

let database: TestDatabase;
let orm: MikroORM;
beforeAll(async () => {
  database = await aDatabase();
  orm = createOrm(await runtimeUrlOf(database));
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

it.each(['before its COMMIT', 'before a statement'])(
  'a connection that is lost %s results in UNAVAILABLE',
  async (when) => {
    const tables = new EntityTables(orm.getMetadata());
    const service = { databaseUrl: database.url };
    const failed = runTenantTransaction(orm.em, tables, newId(), async ({ em }) => {
      const [{ pid }] = await em.execute<[{ pid: number }]>('select pg_backend_pid() as pid');
      await queryAsOwner(service, 'select pg_terminate_backend($1)', [pid]);
      const alive = () => queryAsOwner(service, 'select from pg_stat_activity where pid = $1', [pid]);
      await waitUntil(async () => (await alive()).length === 0);
      if (when === 'before a statement') await em.execute('select 1');
    });
    const thrown = await failed.catch((error: unknown) => error);
    expect(toAppError(thrown).code).toBe('UNAVAILABLE');
  },
);

it('the start of a transaction and its workspace are sent with the first statement', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
  const onServer = async () => {
    const sql = 'select state, query from pg_stat_activity where pid = $1';
    return (await queryAsOwner({ databaseUrl: database.url }, sql, [pid]))[0];
  };
  const before = { state: 'idle', query: 'select pg_backend_pid() as pid' };
  await client.query('begin');
  await client.query(`select set_config('taproot.tenant_id', 'some-workspace', true)`);
  expect(await onServer()).toEqual(before);
  await client.query('commit');
  expect(await onServer()).toEqual(before);
  const tenant = { text: `select current_setting('taproot.tenant_id', true) as id` };
  await client.query('begin');
  await client.query(`select set_config('taproot.tenant_id', 'some-workspace', true)`);
  expect((await client.query(tenant)).rows).toEqual([{ id: 'some-workspace' }]);
  expect(await onServer()).toMatchObject({ state: 'idle in transaction' });
  await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero');
  await client.query('rollback');
  await client.query('begin');
  await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero');
  await client.query('rollback');
  expect((await client.query(tenant)).rows).toEqual([{ id: '' }]);
  await client.end();
});

it('a statement fails if its transaction could not start', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await client.query(`select set_config('unknown_setting', 'some-workspace', true)`);
  await expect(client.query('select 1 as one')).rejects.toThrow('unknown_setting');
  await client.query('rollback');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});

it('a statement without a result is sent with the next statement, and its error fails that statement', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  const defer = (text: string) => client.query({ text, isDeferred: true } as pg.QueryConfig);
  await client.query('create temp table words (word text primary key)');
  await client.query('begin');
  await defer("insert into words values ('one')");
  await defer("insert into words values ('two')");
  expect((await client.query('select word from words order by 1')).rows).toEqual([{ word: 'one' }, { word: 'two' }]);
  await defer("insert into words values ('one')");
  await expect(client.query('select 1')).rejects.toThrow('duplicate key');
  await client.query('rollback');
  expect((await client.query('select from words')).rows).toEqual([]);
  await client.end();
});

it('several statements of a transaction run at the same time, in the order of the calls', async () => {
  const tables = new EntityTables(orm.getMetadata());
  const results = await runTenantTransaction(orm.em, tables, newId(), async ({ em }) => {
    await deferPrepared(em, 'create temp table words (word text) on commit drop', []);
    const count = () => executePrepared<{ count: string }>(em, 'select count(*) from words', []);
    const insert = () => executePrepared(em, "insert into words values ('one')", []);
    return Promise.all([count(), insert(), count(), insert(), count()]);
  });
  expect([results[0], results[2], results[4]]).toEqual([[{ count: '0' }], [{ count: '1' }], [{ count: '2' }]]);
});

it('if several statements run at the same time, the first error rejects first', async () => {
  const tables = new EntityTables(orm.getMetadata());
  const failed = runTenantTransaction(orm.em, tables, newId(), async ({ em }) => {
    const both = Promise.all([executePrepared(em, 'select 1 / 0', []), executePrepared(em, 'select 1', [])]);
    both.catch(() => undefined);
    await setImmediate();
    // The responses to both statements arrive while the event loop is busy.
    for (const endsAt = performance.now() + 100; performance.now() < endsAt; );
    return both;
  });
  await expect(failed).rejects.toThrow('division by zero');
});

it('a statement after the end of its transaction fails, and changes nothing', async () => {
  const tables = new EntityTables(orm.getMetadata());
  let late: Promise<unknown> | undefined;
  const failed = runTenantTransaction(orm.em, tables, newId(), async ({ em }) => {
    const insert = "insert into token_bucket values ('late', now()) on conflict do nothing";
    const repeat = (): Promise<unknown> => executePrepared(em, insert, []).then(repeat);
    late = repeat();
    late.catch(() => undefined);
    await executePrepared(em, 'select 1', []);
    throw new Error('the work failed');
  });
  await expect(failed).rejects.toThrow('the work failed');
  await expect(late).rejects.toMatchObject({ cause: { message: 'the transaction of the statement has ended' } });
  expect(await orm.em.getConnection().execute("select from token_bucket where hash = 'late'")).toEqual([]);
});

it('a COMMIT sends statements without a result, and rolls back if one of them fails; a ROLLBACK drops them', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  const defer = (text: string) => client.query({ text, isDeferred: true } as pg.QueryConfig);
  await client.query('create temp table words (word text primary key)');
  const insert = async (words: readonly string[]) => {
    await client.query('begin');
    for (const word of words) await defer(`insert into words values ('${word}')`);
    await client.query('commit');
  };
  await insert(['one']);
  await expect(insert(['two', 'one'])).rejects.toThrow('duplicate key');
  await client.query('begin');
  await defer("insert into words values ('one')");
  await client.query('rollback');
  expect((await client.query('select word from words')).rows).toEqual([{ word: 'one' }]);
  await client.end();
});

it('a transaction whose COMMIT fails returns its connection to the pool', async () => {
  const tables = new EntityTables(orm.getMetadata());
  const fail = () => runTenantTransaction(orm.em, tables, newId(), ({ em }) => deferPrepared(em, 'select 1 / 0', []));
  for (let nth = 0; nth < 12; nth++) await expect(fail()).rejects.toThrow('division by zero');
  expect(await orm.em.getConnection().execute('select 1 as one')).toEqual([{ one: 1 }]);
});

it('a COMMIT fails if the caller has ignored the error of a statement', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  await client.query('create temp table words (word text)');
  await client.query('begin');
  await client.query("insert into words values ('one')");
  await client.query('select 1 / 0').catch(() => undefined);
  await expect(client.query('commit')).rejects.toThrow('rolled back');
  expect((await client.query('select from words')).rows).toEqual([]);
  await client.end();
});

it('a statement that was prepared before a migration fails once per connection, with UNAVAILABLE', async () => {
  const tables = new EntityTables(orm.getMetadata());
  const owner = { databaseUrl: database.url };
  await queryAsOwner(owner, 'create table migrated (value json)');
  await queryAsOwner(owner, 'grant select on migrated to public');
  const select = 'select value from migrated';
  const read = () => runTenantTransaction(orm.em, tables, newId(), ({ em }) => executePrepared(em, select, []));
  expect(await read()).toEqual([]);
  await queryAsOwner(owner, 'alter table migrated alter value type jsonb');
  expect(toAppError(await read().catch((error: unknown) => error)).code).toBe('UNAVAILABLE');
  expect(await read()).toEqual([]);
});

it('a statement without a result fails at once if its values might not be convertible', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  const insert = async (value: unknown) => {
    await client.query({ text: 'insert into words values ($1)', values: [value], isDeferred: true } as pg.QueryConfig);
  };
  await client.query('create temp table words (word text)');
  const failing = async (value: unknown) => {
    await client.query('begin');
    try {
      await insert('first');
      await insert(value);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  };
  await expect(failing({ word: 1n })).rejects.toThrow(TypeError);
  expect((await client.query('select from words')).rows).toEqual([]);
  await client.end();
});

it('a statement without a result runs in the workspace that was set before it', async () => {
  const client: pg.Client = new TransactionClient({ connectionString: database.url });
  await client.connect();
  const setWorkspace = (id: string) => client.query(`select set_config('taproot.tenant_id', '${id}', true)`);
  await client.query('create temp table workspaces (id text)');
  await client.query('begin');
  await setWorkspace('one');
  const text = "insert into workspaces values (current_setting('taproot.tenant_id'))";
  await client.query({ text, isDeferred: true } as pg.QueryConfig);
  await setWorkspace('two');
  await client.query('commit');
  expect((await client.query('select id from workspaces')).rows).toEqual([{ id: 'one' }]);
  await client.end();
});

it('the query of the pool itself returns its connection', async () => {
  const pool = await orm.em.getConnection().getNativeClient();
  const types = { getTypeParser: () => (value: string | Buffer) => value };
  for (let query = 0; query <= pool.options.max; query++)
    expect((await pool.query({ text: 'select 1', rowMode: 'array', types })).rows).toEqual([['1']]);
});
