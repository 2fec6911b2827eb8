import { access, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyFilePath } from '../../../src/secrets/key-file.js';
import { aDatabase, type TestDatabase } from '../../support/database/database.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { startTestService, startupErrorOf } from '../../support/service/start-service.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

it.each<[string, Partial<URL>, RegExp]>([
  ['an unknown host', { host: 'nowhere.invalid' }, /^nowhere\.invalid:\d+ cannot be reached \(ENOTFOUND\)$/],
  ['a wrong password', { password: 'wrong' }, /^127\.0\.0\.1:\d+ rejects the login of taproot$/],
  ['a database that is not there', { pathname: '/none' }, /^127\.0\.0\.1:\d+ has no database none$/],
])('a DATABASE_URL with %s is named in one line', async (_, part, reason) => {
  const url = Object.assign(new URL(database.url), part);
  const line = await startupErrorOf({ DATABASE_URL: url.href, DATA_DIR: join(tmpdir(), 'taproot-refused') });
  expect(line).toMatch(/^DATABASE_URL: /);
  expect(line.replace(/^DATABASE_URL: (PostgreSQL at )?/, '')).toMatch(reason);
});

it('reports a lost key file in one line if sealed secrets exist, and starts after it is restored', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-lost-key-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, JOBS: 'off' };
  const file = keyFilePath(dataDir);
  await (await startTestService(env)).stop();
  await rm(file);
  await (await startTestService(env)).stop(); // nothing is sealed yet, so a new key is created
  await queryAsOwner(
    { databaseUrl: database.url },
    `insert into data_key (id, tenant_id, created_at, key_id, wrapped)
     values (gen_random_uuid(), gen_random_uuid(), now(), 'local', 'sealed')`,
  );
  await rename(file, `${file}.lost`);
  expect(await startupErrorOf(env)).toBe(
    `${file} is missing, but the database holds secrets sealed with its key; restore the file, or set SEALING_KEYS to its content (docs/secrets.md)`,
  );
  await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' });
  await rename(`${file}.lost`, file);
  await (await startTestService(env)).stop();
  await rm(dataDir, { recursive: true });
});
