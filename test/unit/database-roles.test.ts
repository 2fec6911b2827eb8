import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { derivedRole } from '../../src/runtime-role.js';
import type { Service } from '../../src/service.js';
import { mintLocalToken } from '../../src/tenancy/local-issuer.js';
import { demoAddress } from '../../src/tenancy/seed-demo.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { refusalOf, started } from '../support/starts.js';

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

/** As superuser of the server. */
function administer(statement: string): Promise<pg.QueryResult> {
  return asSuperuserOf(process.env.TEST_TEMPLATE_URL as string, statement);
}

async function asSuperuserOf(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

/** Gives the empty database to an ordinary role, and answers its URL. */
async function ownedBy(rights: string): Promise<string> {
  const url = new URL(database.url);
  await administer(`create role ${OWNER} login ${rights} password ${pg.escapeLiteral(PASSWORD)}`);
  await administer(`alter database ${url.pathname.slice(1)} owner to ${OWNER}`);
  url.username = OWNER;
  url.password = encodeURIComponent(PASSWORD);
  return url.href;
}

async function statusOfMe({ url }: Service): Promise<number> {
  const token = await mintLocalToken(dataDir, demoAddress('viewer'));
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': 'demo' };
  return (await fetch(`${url}/api/users/me`, { headers })).status;
}

const start = (env: Record<string, string>) => started({ DATA_DIR: dataDir, ...env });
const refusal = (env: Record<string, string>) => refusalOf({ DATA_DIR: dataDir, ...env });

describe('the role that the service logs in as', () => {
  it('is made by a superuser, cannot bypass row level security and owns nothing', async () => {
    const service = await start({ DATABASE_URL: database.url });
    expect(await statusOfMe(service)).toBe(200);
    const role = derivedRole(database.url);
    const { rows } = await administer(
      `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
         (select count(*)::int from pg_stat_activity where usename = rolname and datname = '${new URL(database.url).pathname.slice(1)}') as logins
       from pg_roles where rolname = '${role}'`,
    );
    expect(rows).toEqual([{ mighty: false, logins: expect.any(Number) }]);
    expect(rows[0].logins).toBeGreaterThan(0);
    await service.stop();
  });

  it('is made by an ordinary owner who may create roles, whatever the password, and found again', async () => {
    const url = await ownedBy('createrole');
    for (let time = 0; time < 2; time++) {
      const service = await start({ DATABASE_URL: url });
      expect(await statusOfMe(service)).toBe(200);
      await service.stop();
    }
  });

  it('is made by an owner of the schemas alone, where that of the jobs is given as well', async () => {
    const url = await ownedBy('createrole');
    await asSuperuserOf(database.url, `alter database ${new URL(database.url).pathname.slice(1)} owner to taproot`);
    await asSuperuserOf(database.url, `grant create on schema public to ${OWNER}`);
    expect(await refusal({ DATABASE_URL: url })).toMatch(/^DATABASE_URL: ordinary_owner may not create/);
    await asSuperuserOf(database.url, `create schema taproot_jobs authorization ${OWNER}`);
    const service = await start({ DATABASE_URL: url });
    expect(await statusOfMe(service)).toBe(200);
    await service.stop();
  });

  it('has to be named where the owner may not create roles', async () => {
    const url = await ownedBy('nocreaterole');
    const line = await refusal({ DATABASE_URL: url });
    expect(line).toMatch(/^DATABASE_URL: ordinary_owner may not .*DATABASE_RUNTIME_URL can name one$/);
  });

  it('can be one that an operator has made', async () => {
    const url = await ownedBy('nocreaterole');
    await administer(`create role own_runtime login password 'x'`);
    const runtime = new URL(database.url);
    runtime.username = 'own_runtime';
    runtime.password = 'x';
    const service = await start({ DATABASE_URL: url, DATABASE_RUNTIME_URL: runtime.href });
    expect(await statusOfMe(service)).toBe(200);
    await service.stop();
  });

  it.each([
    ['a superuser', () => database.url, /^DATABASE_RUNTIME_URL: taproot must be an ordinary role/],
    ['nobody', () => database.url.replace('//taproot:', '//nobody_at_all:'), /^DATABASE_RUNTIME_URL: there is no role/],
  ])('is refused where it is %s', async (_, runtimeUrl, line) => {
    const said = await refusal({ DATABASE_URL: database.url, DATABASE_RUNTIME_URL: runtimeUrl() });
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
  });
});
