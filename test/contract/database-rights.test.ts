import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INGEST_TOKEN_SETTING } from '../../src/ingest/ingest-token.js';
import { CATALOG_LOAD_SCOPE } from '../../src/instances/catalog-load-policies.js';
import { TENANT_SETTING } from '../../src/kernel/entities/tenant-table.js';
import { ROTATION_SCOPE } from '../../src/secrets/data-key.js';
import { SLUG_SETTING } from '../../src/tenancy/workspace.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import {
  APPEND_ONLY_TABLES,
  inTransactionAs,
  PLATFORM_TABLES,
  RLS_BYPASSES,
  readCatalog,
  SHARED_TABLES,
  TENANT_KEYS,
  TENANT_TABLES,
} from '../support/database/row-security.js';
import { loginTo, runtimeUrlOf } from '../support/database/runtime-role.js';

const JOB_TABLES = ['taproot_jobs.job', 'taproot_jobs.job_common', 'taproot_jobs.queue', 'taproot_jobs.version'];
const quoted = (table: string) =>
  table
    .split('.')
    .map((name) => `"${name}"`)
    .join('.');

let database: TestDatabase;
let owner: pg.Client;
let role: string;
let catalog: Awaited<ReturnType<typeof readCatalog>>;

beforeAll(async () => {
  database = await aDatabase();
  await runtimeUrlOf(database);
  role = loginTo({ databaseUrl: database.url }).role;
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  catalog = await readCatalog(owner);
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('the catalog of PostgreSQL', () => {
  it('has the tables of workspaces, the table `workspace`, the tables of the platform, and no others', () => {
    const names = (isTenant: boolean) => catalog.tables.filter((t) => t.isTenant === isTenant).map(({ name }) => name);
    expect(names(true)).toEqual(TENANT_TABLES);
    expect(names(false)).toEqual([...PLATFORM_TABLES, ...SHARED_TABLES, 'workspace'].sort());
  });

  it.each([...TENANT_TABLES, 'workspace'])('%s has policies that apply to its owner too', (name) => {
    const table = catalog.tables.find((one) => one.name === name);
    expect([table?.enabled, table?.forced]).toEqual([true, true]);
    const column = name === 'workspace' ? 'id' : 'tenant_id';
    const setting = `(NULLIF(current_setting('${TENANT_SETTING}'::text, true), ''::text))::uuid`;
    const readsOnce = ['tenant_connector_instance', 'tenant_connector_tap'].includes(name);
    const own = `(${column} = ${readsOnce ? `( SELECT ${setting} AS "nullif")` : setting})`;
    const named = `(slug = current_setting('${SLUG_SETTING}'::text, true))`;
    const rotation = `(current_setting('${ROTATION_SCOPE.setting}'::text, true) = '${ROTATION_SCOPE.value}'::text)`;
    const shown = `(hash = current_setting('${INGEST_TOKEN_SETTING}'::text, true))`;
    const all = { command: '*', using: own, check: own };
    const load = `( SELECT ((current_setting('${CATALOG_LOAD_SCOPE.setting}'::text, true) = '${CATALOG_LOAD_SCOPE.value}'::text) AND has_table_privilege('connector_tap'::text, 'insert'::text)))`;
    const others: Record<string, object[]> = {
      tenant_connector_instance: [{ command: 'r', using: load, check: null }],
      tenant_connector_tap: [
        { command: 'a', using: null, check: load },
        { command: 'w', using: load, check: load },
        { command: 'r', using: load, check: null },
      ],
      ingest_token: [{ command: 'r', using: shown, check: null }],
      workspace: [{ command: 'r', using: named, check: null }],
      data_key: [
        { command: 'r', using: rotation, check: null },
        { command: 'w', using: rotation, check: rotation },
      ],
    };
    const policies = catalog.policies.filter((policy) => policy.table === name);
    expect(policies.map(({ command, using, check }) => ({ command, using, check }))).toEqual(
      APPEND_ONLY_TABLES.includes(name)
        ? [
            { command: 'a', using: null, check: own },
            { command: 'r', using: own, check: null },
          ]
        : [...(others[name] ?? []), all],
    );
  });

  it('has no foreign key between tables of workspaces that could cross workspaces', () => {
    const open = catalog.tenantKeys.filter(({ columns, references }) => {
      const at = columns.indexOf('tenant_id');
      return at < 0 || references[at] !== 'tenant_id';
    });
    expect(open).toEqual([]);
    expect(catalog.tenantKeys.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(TENANT_KEYS);
  });

  it('has no unique index that could reveal a row of another workspace, except on hashes of secret tokens', () => {
    const ofTenants = catalog.uniques.filter(({ table }) => TENANT_TABLES.includes(table));
    const ofAll = ofTenants.filter(({ columns }) => !columns.includes('tenant_id'));
    expect(ofAll.map(({ table, columns }) => [table, ...columns])).toEqual([['ingest_token', 'hash']]);
    expect(new Set(ofTenants.map(({ table }) => table)).size).toBe(TENANT_TABLES.length);
  });

  it('has no view or function that runs with the rights of its owner', async () => {
    expect((await owner.query(RLS_BYPASSES)).rows).toEqual([]);
    const bypasses = await inTransactionAs(owner, undefined, async () => {
      await owner.query('create view open_view as select * from role');
      await owner.query('create view safe_view with (security_invoker = true) as select * from role');
      await owner.query(`create materialized view open_copy as select * from role`);
      await owner.query(`create function open_function() returns int language sql security definer as 'select 1'`);
      await owner.query(
        `create function safe_function() returns int language sql security definer set search_path = '' as 'select 1'`,
      );
      return (await owner.query(RLS_BYPASSES)).rows.map(({ name }) => name);
    });
    expect(bypasses).toEqual(['open_copy', 'open_function', 'open_view']);
  });
});

describe('the runtime role', () => {
  it('is an ordinary role that owns nothing, is a member of no role and cannot create objects', async () => {
    const { rows: found } = await owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin,
         (select count(*)::int from pg_shdepend where refobjid = r.oid and deptype = 'o') as owned,
         (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
         has_schema_privilege(oid, 'public', 'create') or has_schema_privilege(oid, 'taproot_jobs', 'create') as "createsTables",
         has_database_privilege(oid, current_database(), 'create') as "createsSchemas"
       from pg_roles r where rolname = $1`,
      [role],
    );
    const no = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    };
    const none = { owned: 0, memberships: 0, createsTables: false, createsSchemas: false };
    expect(found).toEqual([{ ...no, ...none, rolcanlogin: true }]);
  });

  it('may read the tables of the platform, and write rows of workspaces and shared rows, but nothing else', async () => {
    const ofTable = ['delete', 'truncate', 'trigger', 'maintain'].map((right) => ['has_table_privilege', right]);
    const ofColumns = ['select', 'insert', 'update', 'references'].map((right) => ['has_any_column_privilege', right]);
    const held = async (name: string): Promise<string[]> => {
      const rights = [...ofColumns, ...ofTable].map(
        ([has, right]) => `${has}($1, '${quoted(name)}', '${right}') as "${right}"`,
      );
      const { rows: found } = await owner.query(`select ${rights.join(', ')}`, [role]);
      return Object.keys(found[0]).filter((right) => found[0][right]);
    };
    for (const name of PLATFORM_TABLES)
      expect([name, await held(name)]).toEqual([name, name === 'mikro_orm_migrations' ? [] : ['select']]);
    for (const name of [...TENANT_TABLES, ...SHARED_TABLES, 'workspace'])
      expect([name, await held(name)]).toEqual([name, ['select', 'insert', 'update', 'delete']]);
    for (const name of JOB_TABLES)
      expect([name, await held(name)]).toEqual([name, ['select', 'insert', 'update', 'delete']]);
  });
});
