import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deriveRuntimeRole } from '../../../src/database/runtime-role.js';
import type { Service } from '../../../src/service.js';
import { issueLocalToken } from '../../../src/tenancy/authentication/local-issuer.js';
import { demoEmail } from '../../../src/tenancy/workspaces/seed-demo.js';
import { aDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestService, startupErrorOf } from '../../support/service/start-service.js';

const OWNER = 'ordinary_owner';
const PASSWORD = 'it’s "odd" @/:?#';

let database: TestDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await aDatabase({ empty: true });
  dataDir = await mkdtemp(join(tmpdir(), 'taproot-roles-'));
});

afterEach(async () => {
  await database.drop();
  for (const role of [OWNER, 'own_runtime']) await administer(`drop role if exists ${role}`);
  await rm(dataDir, { recursive: true });
});

function administer(statement: string): Promise<pg.QueryResult> {
  return queryAs(process.env.TEST_TEMPLATE_URL as string, statement);
}

async function queryAs(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

/**
 * Makes a role with these rights the owner of the empty database. Returns the database URL with the login of this role.
 */
async function ownedBy(rights: string): Promise<string> {
  const url = new URL(database.url);
  await administer(`create role ${OWNER} login ${rights} password ${pg.escapeLiteral(PASSWORD)}`);
  await administer(`alter database ${url.pathname.slice(1)} owner to ${OWNER}`);
  url.username = OWNER;
  url.password = encodeURIComponent(PASSWORD);
  return url.href;
}

async function statusOfMe({ url }: Service): Promise<number> {
  const token = await issueLocalToken(dataDir, demoEmail('viewer'));
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': 'demo' };
  return (await fetch(`${url}/api/users/me`, { headers })).status;
}

const start = (env: Record<string, string>) => startTestService({ DATA_DIR: dataDir, ...env });
const refusal = (env: Record<string, string>) => startupErrorOf({ DATA_DIR: dataDir, ...env });

describe('the runtime role of the service', () => {
  it('is created by a superuser, cannot bypass row level security and owns nothing', async () => {
    const service = await start({ DATABASE_URL: database.url });
    expect(await statusOfMe(service)).toBe(200);
    const role = deriveRuntimeRole(database.url);
    const { rows } = await administer(
      `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
         (select count(*)::int from pg_stat_activity where usename = rolname and datname = '${new URL(database.url).pathname.slice(1)}') as logins
       from pg_roles where rolname = '${role}'`,
    );
    expect(rows).toEqual([{ mighty: false, logins: expect.any(Number) }]);
    expect(rows[0].logins).toBeGreaterThan(0);
    await service.stop();
  });

  it('is created by an ordinary owner with CREATEROLE, with any password, and reused at the next start', async () => {
    const url = await ownedBy('createrole');
    for (let time = 0; time < 2; time++) {
      const service = await start({ DATABASE_URL: url });
      expect(await statusOfMe(service)).toBe(200);
      await service.stop();
    }
  });

  it('is created only by an owner of the schemas, including the schema of the jobs', async () => {
    const url = await ownedBy('createrole');
    await queryAs(database.url, `alter database ${new URL(database.url).pathname.slice(1)} owner to taproot`);
    await queryAs(database.url, `grant create on schema public to ${OWNER}`);
    expect(await refusal({ DATABASE_URL: url })).toMatch(/^DATABASE_URL: ordinary_owner cannot create/);
    await queryAs(database.url, `create schema taproot_jobs authorization ${OWNER}`);
    const service = await start({ DATABASE_URL: url });
    expect(await statusOfMe(service)).toBe(200);
    await service.stop();
  });

  it('must be configured if the owner cannot create roles', async () => {
    const url = await ownedBy('nocreaterole');
    const line = await refusal({ DATABASE_URL: url });
    expect(line).toMatch(/^DATABASE_URL: ordinary_owner cannot .*To use an existing role, set DATABASE_RUNTIME_URL$/);
  });

  it('can be created by the operator: keeps its own limits and gets missing limits', async () => {
    const url = await ownedBy('nocreaterole');
    await administer(`create role own_runtime login password 'x'`);
    await administer(`alter role own_runtime set statement_timeout = '5min'`);
    const runtime = new URL(database.url);
    runtime.username = 'own_runtime';
    runtime.password = 'x';
    for (let time = 0; time < 2; time++) {
      const service = await start({ DATABASE_URL: url, DATABASE_RUNTIME_URL: runtime.href });
      expect(await statusOfMe(service)).toBe(200);
      await service.stop();
    }
    const limits = `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`;
    expect((await queryAs(runtime.href, limits)).rows).toEqual([{ statement: '5min', idle: '20s' }]);
  });

  it('keeps its password verifier across starts, so that a pooler that cached it can log in', async () => {
    const secret = `select rolpassword from pg_authid where rolname = '${deriveRuntimeRole(database.url)}'`;
    const secrets: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      await (await start({ DATABASE_URL: database.url })).stop();
      secrets.push((await administer(secret)).rows);
    }
    expect(secrets[1]).toEqual(secrets[0]);
  });

  it.each([
    ['a superuser', () => database.url, /^DATABASE_RUNTIME_URL: taproot must not be a superuser/],
    [
      'a role that does not exist',
      () => database.url.replace('//taproot:', '//nobody_at_all:'),
      /^DATABASE_RUNTIME_URL: the role nobody_at_all does not exist/,
    ],
  ])('is rejected if it is %s', async (_, runtimeUrl, line) => {
    const said = await refusal({ DATABASE_URL: database.url, DATABASE_RUNTIME_URL: runtimeUrl() });
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
  });
});
