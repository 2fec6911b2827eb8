import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase({ empty: true });
});

afterAll(() => database.drop());

const sql = (statement: string) => queryAsOwner({ databaseUrl: database.url }, statement);

it('a database of a test has one idle session, even after concurrent queries', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, nth) => sql(`select pg_sleep(${nth / 500})`)));
  const others =
    'select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await expect.poll(async () => (await sql(others))[0]?.count).toBe(0);
});
