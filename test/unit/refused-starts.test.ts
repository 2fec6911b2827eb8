import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { refusalOf } from '../support/starts.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

it.each<[string, Partial<URL>, RegExp]>([
  ['a host that nobody knows', { host: 'nowhere.invalid' }, /^nowhere\.invalid:\d+ cannot be reached \(ENOTFOUND\)$/],
  ['a wrong password', { password: 'wrong' }, /^127\.0\.0\.1:\d+ refuses the login of taproot$/],
  ['a database that is not there', { pathname: '/none' }, /^127\.0\.0\.1:\d+ has no database none$/],
])('a DATABASE_URL with %s is named in one line', async (_, part, reason) => {
  const url = Object.assign(new URL(database.url), part);
  const line = await refusalOf({ DATABASE_URL: url.href, DATA_DIR: join(tmpdir(), 'taproot-refused') });
  expect(line).toMatch(/^DATABASE_URL: /);
  expect(line.replace(/^DATABASE_URL: (PostgreSQL at )?/, '')).toMatch(reason);
});
