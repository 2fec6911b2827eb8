import { expect, it } from '@jest/globals';
import { createOrm } from '../../src/orm.js';
import { aDatabase } from '../support/database.js';

it('no statement lasts, and no transaction stands still, for longer than the documented time', async () => {
  const database = await aDatabase();
  const orm = createOrm(database.url);
  const names = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const [settings] = await orm.em.execute(
    `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
  );
  await orm.close();
  await database.drop();
  expect(settings).toEqual({ statement_timeout: '30s', idle_in_transaction_session_timeout: '20s' });
});
