import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
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

it.each([
  ['DATA_DIR', '/dev/null/data', 'DATA_DIR: data cannot be stored in /dev/null/data (ENOTDIR)'],
  ['CATALOG_DIR', '/nowhere', 'CATALOG_DIR: /nowhere cannot be read (ENOENT)'],
])('reports in one line what is wrong with %s=%s', async (name, value, line) => {
  const dataDir = join(tmpdir(), 'taproot-refused');
  expect(await startupErrorOf({ DATABASE_URL: database.url, DATA_DIR: dataDir, [name]: value })).toBe(line);
});

it('reports in one line that the key file of the local issuer is broken', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-broken-key-'));
  await mkdir(join(dataDir, 'keys'));
  await writeFile(join(dataDir, 'keys', 'local-issuer.json'), 'cut');
  expect(await startupErrorOf({ DATABASE_URL: database.url, DATA_DIR: dataDir })).toBe(
    `${dataDir}/keys/local-issuer.json is not a valid key file. If you delete the file, the service generates a new key, and all tokens that were signed with the old key become invalid`,
  );
  await rm(dataDir, { recursive: true });
});

it('reports a lost key file in one line if sealed secrets exist, and starts after it is restored', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-lost-key-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, JOBS: 'off' };
  const file = keyFilePath(dataDir);
  await (await startTestService(env)).stop();
  await rm(file);
  await (await startTestService(env)).stop(); // The database has no sealed value yet, so the service creates a new key.
  await queryAsOwner(
    { databaseUrl: database.url },
    `insert into data_key (id, tenant_id, created_at, key_id, wrapped)
     values (gen_random_uuid(), gen_random_uuid(), now(), 'local', 'sealed')`,
  );
  await rename(file, `${file}.lost`);
  expect(await startupErrorOf(env)).toBe(
    `${file} is missing, but the database holds secrets sealed with its key. Restore the file from a backup, or set SEALING_KEYS to its content (docs/secrets.md)`,
  );
  await expect(access(file)).rejects.toMatchObject({ code: 'ENOENT' });
  await rename(`${file}.lost`, file);
  await (await startTestService(env)).stop();
  await rm(dataDir, { recursive: true });
});
