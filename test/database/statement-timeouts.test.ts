import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { createOrm, reconnectOrm } from '../../src/database/orm.js';
import { runInJob } from '../../src/kernel/jobs/in-job.js';
import { aDatabase } from '../support/database/database.js';
import { runtimeUrlOf } from '../support/database/runtime-role.js';

it('statements and idle transactions of the service have the documented timeouts', async () => {
  const database = await aDatabase();
  const runtimeUrl = await runtimeUrlOf(database);
  const orm = createOrm(database.url);
  await reconnectOrm(orm, runtimeUrl);
  const names = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const settings = names.map((name) => `current_setting('${name}') as ${name}`).join(', ');
  const [found] = await orm.em.execute(`select ${settings}, current_user as login`);
  await orm.close();
  await database.drop();
  const login = decodeURIComponent(new URL(runtimeUrl).username);
  expect(found).toEqual({ statement_timeout: '30s', idle_in_transaction_session_timeout: '20s', login });
});

it.each([
  ['3 seconds', 'no timeout', '', 3_000],
  ['20 seconds', 'that timeout', '20', 20_000],
])('a request waits %s for a connection if the database URL has %s', async (_, __, seconds, milliseconds) => {
  const database = await aDatabase();
  const url = new URL(database.url);
  url.searchParams.set('connect_timeout', seconds);
  const orm = createOrm(url.href);
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  expect(pool.options.connectionTimeoutMillis).toBe(milliseconds);
  await orm.close();
  await database.drop();
});

it('requests have connections while jobs use all of theirs', async () => {
  const database = await aDatabase();
  const url = new URL(database.url);
  url.searchParams.set('connect_timeout', '10');
  const orm = createOrm(url.href);
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  const all = Array.from({ length: pool.options.max }, () => runInJob(() => pool.connect()));
  const clients = await Promise.all(all);
  expect(await orm.em.execute('select 1 as one')).toEqual([{ one: 1 }]);
  for (const client of clients) client.release();
  await orm.close();
  await expect(runInJob(() => pool.connect())).rejects.toThrow('after calling end');
  await database.drop();
});
