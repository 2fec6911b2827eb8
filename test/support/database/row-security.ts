import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { TENANT_SETTING } from '../../../src/kernel/entities/tenant-table.js';
import { decodeId } from '../../../src/kernel/ids.js';
import type { TenantRows } from '../isolation/tenant-rows.js';
import type { IsolationWorkspace } from '../isolation/workspace-fixtures.js';

type Row = Record<string, unknown>;

/** Tables whose rows belong to no workspace. The runtime role can only read them. */
export const PLATFORM_TABLES = [
  'catalog_revision',
  'connector',
  'connector_auth_strategy',
  'connector_tap',
  'inbound_auth_strategy',
  'mikro_orm_migrations',
  'platform_vendor',
  'platform_vendor_grouping',
];

/** Tables whose rows belong to no workspace and reveal nothing about any workspace. */
export const SHARED_TABLES = ['concurrency_slot', 'token_bucket'];

export const TENANT_TABLES = [
  'api_key',
  'artifact',
  'audit_entry',
  'catalog_table',
  'connector_base_url',
  'connector_request',
  'connector_request_move',
  'credential_metadata',
  'credential_validation',
  'data_key',
  'idempotent_request',
  'ingest_batch',
  'ingest_delivery',
  'ingest_token',
  'invitation',
  'oauth_flow',
  'publication',
  'role',
  'sealed_credential',
  'storage_usage',
  'sync_job',
  'sync_schedule',
  'sync_slice',
  'table_contract',
  'table_file',
  'table_quality_result',
  'table_spc_result',
  'table_version',
  'tap_run',
  'tap_run_log',
  'tap_state',
  'tenant_connector_instance',
  'tenant_connector_tap',
  'user',
  'user_role',
];

export const APPEND_ONLY_TABLES = ['audit_entry', 'connector_request_move', 'credential_validation'];

/** A copy of a row in these tables violates a unique constraint. */
export const SINGLE_ROW_TABLES = ['connector_base_url', 'data_key', 'storage_usage', 'tap_run_log', 'workspace'];

/** Each entry names the referring table and the referenced table. */
export const TENANT_KEYS = [
  'artifact tenant_connector_tap',
  'catalog_table tenant_connector_tap',
  'connector_request_move connector_request',
  'credential_metadata tenant_connector_instance',
  'credential_validation credential_metadata',
  'ingest_batch credential_metadata',
  'ingest_batch tenant_connector_tap',
  'ingest_delivery tenant_connector_tap',
  'ingest_token tenant_connector_tap',
  'invitation user',
  'oauth_flow credential_metadata',
  'oauth_flow tenant_connector_instance',
  'publication tenant_connector_tap',
  'role role',
  'sealed_credential credential_metadata',
  'sync_job tenant_connector_instance',
  'sync_schedule tenant_connector_instance',
  'sync_slice tap_run',
  'table_contract catalog_table',
  'table_file catalog_table',
  'table_quality_result table_contract',
  'table_spc_result table_contract',
  'table_version catalog_table',
  'tap_run sync_job',
  'tap_run tenant_connector_tap',
  'tap_run_log tap_run',
  'tap_state tenant_connector_tap',
  'tenant_connector_instance credential_metadata',
  'tenant_connector_tap tenant_connector_instance',
  'user_role role',
  'user_role user',
];

interface TenantKey {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly references: readonly string[];
}

const NAMES = (keys: string, table: string): string =>
  `(select array_agg(attname::text order by at) from unnest(${keys}) with ordinality as k (num, at)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.num)`;

/** Reads PostgreSQL's system catalog, not the vendor catalog. */
export async function readCatalog(client: pg.Client) {
  const read = async <Found>(statement: string): Promise<Found[]> => (await client.query(statement)).rows;
  const tables = await read<{ name: string; enabled: boolean; forced: boolean; isTenant: boolean }>(
    `select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced,
       exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id') as "isTenant"
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f') order by 1`,
  );
  const policies = await read<{
    table: string;
    command: string;
    using: string | null;
    check: string | null;
    isPermissive: boolean;
  }>(
    `select relname as "table", polcmd as command, polpermissive as "isPermissive",
       pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
     from pg_policy join pg_class c on c.oid = polrelid order by 1, polname`,
  );
  const keys = await read<TenantKey>(
    `select f.relname as "from", ${NAMES('conkey', 'f.oid')} as columns, t.relname as "to", ${NAMES('confkey', 't.oid')} as "references"
     from pg_constraint join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid where contype = 'f' order by conname`,
  );
  const uniques = await read<{ table: string; name: string; columns: string[] }>(
    `select t.relname as "table", i.relname as name, ${NAMES('indkey::int2[]', 't.oid')} as columns
     from pg_index join pg_class t on t.oid = indrelid join pg_class i on i.oid = indexrelid
     where indisunique and not indisprimary and t.relnamespace = 'public'::regnamespace order by 2`,
  );
  const tenantKeys = keys.filter(({ from, to }) => TENANT_TABLES.includes(from) && TENANT_TABLES.includes(to));
  return { tables, policies, tenantKeys, uniques };
}

/**
 * Views and functions that run with the rights of their owner, and therefore bypass row level security. Omits
 * functions with a fixed `search_path`.
 */
export const RLS_BYPASSES = `
select relname as name from pg_class
where relnamespace = 'public'::regnamespace
  and (relkind = 'm' or (relkind = 'v' and not coalesce('security_invoker=true' = any(reloptions), false)))
union all
select proname from pg_proc
where pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and prosecdef
  and not exists (select from unnest(proconfig) setting where setting like 'search_path=%')
order by 1`;

/** Runs `work` in a transaction of this workspace, or of no workspace. Then rolls the transaction back. */
export async function inTransactionAs<Result>(
  client: pg.Client,
  tenantId: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    if (tenantId) await client.query('select set_config($1, $2, true)', [TENANT_SETTING, tenantId]);
    return await work();
  } finally {
    await client.query('rollback');
  }
}

/** Returns the number of rows that a statement affected, or the SQLSTATE of its error. */
export async function outcomeOfStatement(
  client: pg.Client,
  statement: string,
  values: readonly unknown[] = [],
): Promise<number | string> {
  await client.query('savepoint before');
  try {
    return (await client.query(statement, [...values])).rowCount ?? 0;
  } catch (error) {
    await client.query('rollback to before');
    return (error as { code: string }).code;
  }
}

const FREE: Record<string, (world: IsolationWorkspace) => Row> = {
  user_role: (world) => ({ user_id: idIn('user', world), role_id: idIn('role', world) }),
  sealed_credential: (world) => ({ credential_id: idIn('credential_metadata', world) }),
  catalog_table: (world) => ({ tap_id: idIn('tenant_connector_tap', world) }),
  table_contract: (world) => ({ table_id: idIn('catalog_table', world), scope: 'data' }),
  tenant_connector_tap: () => ({ tap_id: null }),
  publication: (world) => ({ tap_id: idIn('tenant_connector_tap', world) }),
  sync_schedule: ({ live }) => ({ instance_id: decodeId(live.syncedInstance) }),
  sync_slice: () => ({ ordinal: 1_000 }),
  table_version: () => ({ number: 1_000 }),
  tap_run: (world) => ({ tap_id: idIn('tenant_connector_tap', world) }),
};

const WRITABLE = `
select string_agg(format('%I', column_name), ', ') as columns from information_schema.columns
where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`;

export async function insertRow(client: pg.Client, table: string, row: Row): Promise<number | string> {
  const [found] = (await client.query<{ columns: string }>(WRITABLE, [table])).rows;
  const columns = found?.columns ?? '';
  const statement = `insert into "${table}" (${columns}) select ${columns} from jsonb_populate_record(null::"${table}", $1)`;
  return outcomeOfStatement(client, statement, [JSON.stringify(row)]);
}

/**
 * Returns the id of a row that a new row can reference in spite of unique constraints, such as a tap without a table.
 * Undefined if every row of the table is suitable.
 */
export function idIn(table: string, { live, ended }: IsolationWorkspace): string | undefined {
  const ids: Record<string, string | undefined> = {
    ...{ user: live.user, role: live.role, connector_request: live.connectorRequest },
    ...{ tenant_connector_instance: live.instance, credential_metadata: ended.credential },
    ...{ tenant_connector_tap: live.tap, catalog_table: ended.table },
  };
  const id = ids[table];
  return id && decodeId(id);
}

/**
 * Returns a row of the workspace. The columns of `FREE` have unused values, so that a copy violates no unique
 * constraint.
 */
export async function someRow(rows: TenantRows, table: string, world: IsolationWorkspace): Promise<Row> {
  const column = table === 'workspace' ? 'id' : 'tenant_id';
  const statement = `select to_jsonb(t) as row from "${table}" t where ${column} = $1 order by id limit 1`;
  const [found] = await rows.run(statement, [decodeId(world.tenantId)]);
  return { ...(found?.row as Row), ...FREE[table]?.(world) };
}

const FREE_TEXTS = [
  'name',
  'email',
  'subject',
  'hash',
  'key',
  'slug',
  'external_id',
  'state_hash',
  'table_name',
  'run_id',
  'partition',
];

/** Replaces the id and the texts in `FREE_TEXTS`, because unique indexes contain these columns. */
export function copyRow(row: Row, changes: Row = {}): Row {
  const free = FREE_TEXTS.filter((column) => typeof row[column] === 'string');
  return { ...row, ...Object.fromEntries(free.map((column) => [column, randomUUID()])), id: randomUUID(), ...changes };
}
