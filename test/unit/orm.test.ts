import { expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createOrm, reconnect } from '../../src/orm.js';
import { aDatabase } from '../support/database.js';
import { runtimeUrlOf } from '../support/runtime-role.js';

it('no statement lasts, and no transaction stands still, for longer than the documented time, whoever is logged in', async () => {
  const database = await aDatabase();
  const orm = createOrm(database.url);
  const names = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const ask = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}, current_user as login`;
  const [asOwner] = await orm.em.execute(ask);
  const runtimeUrl = await runtimeUrlOf(database);
  await reconnect(orm, runtimeUrl);
  const [asOther] = await orm.em.execute(ask);
  await orm.close();
  await database.drop();
  const settings = { statement_timeout: '30s', idle_in_transaction_session_timeout: '20s' };
  const loginIn = (url: string) => decodeURIComponent(new URL(url).username);
  expect(asOwner).toEqual({ ...settings, login: loginIn(database.url) });
  expect(asOther).toEqual({ ...settings, login: loginIn(runtimeUrl) });
});

it.each([
  ['3 seconds', 'nothing', '', 3_000],
  ['20 seconds', 'so', '20', 20_000],
])('a request waits %s for a connection where the address says %s', async (_, __, seconds, milliseconds) => {
  const database = await aDatabase();
  const url = new URL(database.url);
  url.searchParams.set('connect_timeout', seconds);
  const orm = createOrm(url.href);
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  expect(pool.options.connectionTimeoutMillis).toBe(milliseconds);
  await orm.close();
  await database.drop();
});
