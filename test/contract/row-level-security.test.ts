import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INGEST_TOKEN_SETTING } from '../../src/ingest/ingest-token.js';
import { CATALOG_LOAD_SCOPE } from '../../src/instances/catalog-load-policies.js';
import { TENANT_SETTING } from '../../src/kernel/entities/tenant-table.js';
import { decodeId } from '../../src/kernel/ids.js';
import { ROTATION_SCOPE } from '../../src/secrets/data-key.js';
import { SLUG_SETTING } from '../../src/tenancy/workspace.js';
import {
  APPEND_ONLY_TABLES,
  copyRow,
  idIn,
  insertRow,
  inTransactionAs,
  outcomeOfStatement,
  readCatalog,
  SINGLE_ROW_TABLES,
  someRow,
  TENANT_TABLES,
} from '../support/database/row-security.js';
import { loginTo } from '../support/database/runtime-role.js';
import { type TenantRows, tenantRows } from '../support/isolation/tenant-rows.js';
import { createIsolationWorkspace, type IsolationWorkspace } from '../support/isolation/workspace-fixtures.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';

const REFUSED = '42501'; // SQLSTATE insufficient_privilege: a policy rejects the statement, or the role lacks a right.
const NO_SUCH_ROW = '23503'; // SQLSTATE foreign_key_violation.
const IS_THERE = '23505'; // SQLSTATE unique_violation.

let rows: TenantRows;
let owner: pg.Client;
let client: pg.Client;
let catalog: Awaited<ReturnType<typeof readCatalog>>;
const workspaces = {} as Record<'a' | 'b', IsolationWorkspace>;
const uuid = (which: 'a' | 'b') => decodeId(workspaces[which].tenantId) as string;

afterAll(async () => {
  // The clients must disconnect before the service drops its database.
  await Promise.all([rows.close(), owner.end(), client.end()]);
});
const connected = await aConnectedWorkspace();
const { service } = connected;
beforeAll(async () => {
  rows = await tenantRows(service.databaseUrl);
  workspaces.b = await createIsolationWorkspace(connected, rows, await createTestWorkspace(service, 'b'));
  workspaces.a = await createIsolationWorkspace(connected, rows, 'demo');
  owner = new pg.Client({ connectionString: service.databaseUrl });
  client = new pg.Client({ connectionString: loginTo(service).url });
  await Promise.all([owner.connect(), client.connect()]);
  catalog = await readCatalog(owner);
});

const aRow = (table: string, which: 'a' | 'b') => someRow(rows, table, workspaces[which]);

async function countOf(table: string, condition = 'true', values: unknown[] = []): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as n from "${table}" where ${condition}`, values);
  return rows[0].n;
}

describe('the runtime role', () => {
  it.each([
    'set role OWNER',
    'set session authorization OWNER',
    'create table mine (id int)',
    'create schema mine',
    'alter table role disable row level security',
    'alter table role no force row level security',
    'drop policy tenant on role',
    'truncate role cascade',
    'truncate taproot_jobs.job',
    'create table taproot_jobs.mine (id int)',
    'drop table taproot_jobs.job_common',
    'create or replace function taproot_jobs.job_now() returns timestamptz language sql as $$ select now() $$',
    'insert into catalog_revision (id) values (gen_random_uuid())',
    'update platform_vendor set name = name',
    'delete from connector',
    `copy role to program 'cat'`,
  ])('may not: %s', async (statement) => {
    await inTransactionAs(client, uuid('a'), async () => {
      const named = statement.replace('OWNER', owner.escapeIdentifier(owner.user as string));
      expect(await outcomeOfStatement(client, named)).toBe(REFUSED);
      expect(await countOf('role')).toBeGreaterThan(5);
    });
  });

  it('sees no row statistics, because they quote values', async () => {
    const statistics = 'select tablename from pg_stats where tablename = any($1)';
    await owner.query('analyze');
    expect((await owner.query(statistics, [TENANT_TABLES])).rowCount).toBeGreaterThan(20);
    expect((await client.query(statistics, [TENANT_TABLES])).rowCount).toBe(0);
  });
});

describe.each([...TENANT_TABLES, 'workspace'])('as the runtime role, %s', (table) => {
  const column = table === 'workspace' ? 'id' : 'tenant_id';
  const isAppendOnly = APPEND_ONLY_TABLES.includes(table);
  const reached = isAppendOnly ? 0 : 1;

  it('shows no rows and accepts none without a workspace', async () => {
    const row = await aRow(table, 'a');
    await inTransactionAs(client, undefined, async () => {
      expect(await countOf(table)).toBe(0);
      expect(await insertRow(client, table, copyRow(row))).toBe(REFUSED);
      expect(await outcomeOfStatement(client, `update "${table}" set id = id`)).toBe(0);
      expect(await outcomeOfStatement(client, `delete from "${table}"`)).toBe(0);
    });
  });

  it('shows exactly the rows of the current workspace', async () => {
    const there = await rows.run(`select count(*)::int as n from "${table}" where ${column} = $1`, [uuid('a')]);
    await inTransactionAs(client, uuid('a'), async () => {
      expect(await countOf(table)).toBe(there[0]?.n);
      expect(await countOf(table, `${column} <> $1`, [uuid('a')])).toBe(0);
    });
    expect(there[0]?.n).toBeGreaterThan(0);
  });

  it('accepts a row of the current workspace and rejects a row of another workspace', async () => {
    const [own, foreign] = [await aRow(table, 'a'), await aRow(table, 'b')];
    await inTransactionAs(client, uuid('a'), async () => {
      if (!SINGLE_ROW_TABLES.includes(table)) expect(await insertRow(client, table, copyRow(own))).toBe(1);
      else expect(await insertRow(client, table, copyRow(own))).toBe(column === 'id' ? REFUSED : IS_THERE);
      expect(await insertRow(client, table, copyRow(own, { [column]: uuid('b') }))).toBe(REFUSED);
      expect(await insertRow(client, table, copyRow(foreign))).toBe(REFUSED);
    });
  });

  it('never changes, deletes or takes over a row of another workspace, or moves a row to another workspace', async () => {
    const [own, foreign] = [await aRow(table, 'a'), await aRow(table, 'b')];
    const update = `update "${table}" set id = id where id = $1`;
    const move = `update "${table}" set ${column} = $2 where id = $1`;
    await inTransactionAs(client, uuid('a'), async () => {
      expect(await outcomeOfStatement(client, update, [foreign.id])).toBe(0);
      expect(await outcomeOfStatement(client, move, [foreign.id, uuid('a')])).toBe(0);
      expect(await outcomeOfStatement(client, `delete from "${table}" where id = $1`, [foreign.id])).toBe(0);
      expect(await outcomeOfStatement(client, update, [own.id])).toBe(reached);
      expect(await outcomeOfStatement(client, move, [own.id, uuid('b')])).toBe(isAppendOnly ? 0 : REFUSED);
    });
  });
});

describe('as the runtime role', () => {
  it('an audit entry and a status change are immutable', async () => {
    for (const table of APPEND_ONLY_TABLES) {
      await inTransactionAs(client, uuid('a'), async () => {
        const before = await countOf(table);
        expect(await outcomeOfStatement(client, `update "${table}" set id = gen_random_uuid()`)).toBe(0);
        expect(await outcomeOfStatement(client, `delete from "${table}"`)).toBe(0);
        expect([before > 0, await countOf(table)]).toEqual([true, before]);
      });
    }
    await inTransactionAs(client, uuid('a'), async () => {
      expect(await outcomeOfStatement(client, 'delete from idempotent_request')).toBeGreaterThan(0);
    });
  });

  const anId = async (table: string, name: 'a' | 'b') => idIn(table, workspaces[name]) ?? (await aRow(table, name)).id;

  it('a foreign key cannot reference a row of another workspace', async () => {
    for (const { from, columns, to } of catalog.tenantKeys) {
      const column = columns.find((name) => name !== 'tenant_id') as string;
      const [own, foreign] = [await anId(to, 'a'), await anId(to, 'b')];
      const row = await aRow(from, 'a');
      const update = `update "${from}" set "${column}" = $2 where id = $1`;
      await inTransactionAs(client, uuid('a'), async () => {
        const copy = copyRow(row, { [column]: row[column] ?? own });
        if (SINGLE_ROW_TABLES.includes(from)) await client.query(`delete from "${from}" where id = $1`, [row.id]);
        expect([from, await insertRow(client, from, copy)]).toEqual([from, 1]);
        const refused = await insertRow(client, from, copyRow(row, { [column]: foreign }));
        const updated = await outcomeOfStatement(client, update, [copy.id, foreign]);
        expect([from, refused, updated]).toEqual([
          from,
          NO_SUCH_ROW,
          APPEND_ONLY_TABLES.includes(from) ? 0 : NO_SUCH_ROW,
        ]);
      });
    }
    expect(catalog.tenantKeys.length).toBe(31);
  });

  it('a slug shows exactly the workspace with that slug and allows no changes', async () => {
    await inTransactionAs(client, undefined, async () => {
      await client.query('select set_config($1, $2, true)', [SLUG_SETTING, 'b']);
      const { rows: found } = await client.query('select slug from workspace');
      expect(found).toEqual([{ slug: 'b' }]);
      expect(await outcomeOfStatement(client, "update workspace set name = 'mine'")).toBe(0);
      expect(await outcomeOfStatement(client, 'delete from workspace')).toBe(0);
      for (const table of TENANT_TABLES) expect(await countOf(table)).toBe(0);
    });
  });

  it('the hash of an ingest token shows that token in any workspace and allows no changes', async () => {
    const [own, foreign] = [await aRow('ingest_token', 'a'), await aRow('ingest_token', 'b')];
    const show = (hash: unknown) => client.query('select set_config($1, $2, true)', [INGEST_TOKEN_SETTING, hash]);
    const take = 'update ingest_token set revoked_at = null, tenant_id = $1 where hash = $2';
    await inTransactionAs(client, undefined, async () => {
      for (const text of ['', '%', foreign.prefix, String(foreign.hash).toUpperCase(), foreign.tenant_id]) {
        await show(text);
        expect([text, await countOf('ingest_token')]).toEqual([text, 0]);
      }
      await show(foreign.hash);
      expect([await countOf('ingest_token'), await countOf('ingest_token', 'id = $1', [foreign.id])]).toEqual([1, 1]);
      for (const table of [...TENANT_TABLES, 'workspace'].filter((name) => name !== 'ingest_token'))
        expect(await countOf(table)).toBe(0);
    });
    for (const workspace of [undefined, uuid('a')]) {
      await inTransactionAs(client, workspace, async () => {
        await show(foreign.hash);
        expect(await countOf('ingest_token', 'tenant_id <> $1', [uuid('a')])).toBe(1);
        expect(await outcomeOfStatement(client, take, [uuid('a'), foreign.hash])).toBe(0);
        expect(await outcomeOfStatement(client, 'delete from ingest_token where hash = $1', [foreign.hash])).toBe(0);
        expect(
          await outcomeOfStatement(client, 'select from ingest_token where hash = $1 for update', [foreign.hash]),
        ).toBe(0);
        expect(await insertRow(client, 'ingest_token', copyRow(foreign))).toBe(REFUSED);
        const same = await insertRow(client, 'ingest_token', copyRow(own, { hash: foreign.hash }));
        expect(same).toBe(workspace ? IS_THERE : REFUSED);
      });
    }
  });

  it('the key rotation setting allows reading and changing all data keys, and nothing else', async () => {
    const [{ n }] = (await owner.query('select count(*)::int as n from data_key')).rows;
    const row = await aRow('data_key', 'a');
    await inTransactionAs(client, undefined, async () => {
      await client.query('select set_config($1, $2, true)', [ROTATION_SCOPE.setting, 'off']);
      expect(await countOf('data_key')).toBe(0);
      await client.query('select set_config($1, $2, true)', [ROTATION_SCOPE.setting, ROTATION_SCOPE.value]);
      expect([n >= 2, await countOf('data_key')]).toEqual([true, n]);
      expect(await outcomeOfStatement(client, "update data_key set wrapped = 'x'")).toBe(n);
      expect(await outcomeOfStatement(client, 'delete from data_key')).toBe(0);
      expect(await insertRow(client, 'data_key', copyRow(row, { tenant_id: row.id }))).toBe(REFUSED);
      for (const table of [...TENANT_TABLES, 'workspace'].filter((name) => name !== 'data_key'))
        expect(await countOf(table)).toBe(0);
    });
    expect(await countOf('data_key')).toBe(0);
  });

  it('the catalog load setting allows nothing', async () => {
    const row = await aRow('tenant_connector_tap', 'a');
    await inTransactionAs(client, undefined, async () => {
      await client.query('select set_config($1, $2, true)', [CATALOG_LOAD_SCOPE.setting, CATALOG_LOAD_SCOPE.value]);
      for (const table of [...TENANT_TABLES, 'workspace']) expect(await countOf(table)).toBe(0);
      expect(await outcomeOfStatement(client, 'update tenant_connector_tap set tap_id = null')).toBe(0);
      expect(await insertRow(client, 'tenant_connector_tap', copyRow(row))).toBe(REFUSED);
    });
  });

  it.each(['commit', 'rollback'])('shows no rows after %s, and the setting is empty', async (end) => {
    await client.query('begin');
    await client.query('select set_config($1, $2, true)', [TENANT_SETTING, uuid('a')]);
    expect(await countOf('role')).toBeGreaterThan(5);
    await client.query(end);
    const { rows: found } = await client.query('select current_setting($1, true) as setting', [TENANT_SETTING]);
    expect([found[0].setting, await countOf('role'), await countOf('workspace')]).toEqual(['', 0, 0]);
  });

  it('an unknown workspace in the setting shows no rows', async () => {
    await inTransactionAs(client, decodeId(workspaces.a.live.role), async () => expect(await countOf('role')).toBe(0));
    await inTransactionAs(
      client,
      'no uuid',
      // SQLSTATE invalid_text_representation.
      async () => expect(await outcomeOfStatement(client, 'select * from role')).toBe('22P02'),
    );
    await inTransactionAs(client, uuid('a'), async () => {
      await client.query('set local row_security = off');
      expect(await outcomeOfStatement(client, 'select * from role')).toBe(REFUSED);
    });
  });
});
