import pg from 'pg';
import { encodeId } from '../../src/kernel/ids.js';

/** Tables that the baseline statements read. The values are the columns that the API returns in base62. */
const TABLES: Record<string, readonly string[]> = {
  platform_vendor: ['id'],
  platform_vendor_grouping: ['id', 'connector_id'],
  connector: ['id', 'created_by', 'updated_by'],
  connector_auth_strategy: ['id', 'created_by', 'updated_by'],
  inbound_auth_strategy: ['id', 'created_by', 'updated_by'],
  connector_tap: ['id', 'created_by', 'updated_by'],
  tenant_connector_tap: [],
  catalog_table: [],
  table_contract: [],
  table_spc_result: ['id', 'contract_id'],
};

const INDEXES = [
  'unique index on baseline.platform_vendor (id)',
  'unique index on baseline.platform_vendor (slug)',
  'index on baseline.platform_vendor (sort_order, name, id)',
  'index on baseline.platform_vendor_grouping (vendor_id)',
  'index on baseline.platform_vendor_grouping (parent_id)',
  'index on baseline.connector (name, slug)',
  'index on baseline.connector_auth_strategy (connector_id)',
  'index on baseline.inbound_auth_strategy (connector_id)',
  'index on baseline.connector_tap (connector_id)',
  'unique index on baseline.tenant_connector_tap (id)',
  'index on baseline.catalog_table (tenant_id)',
  'index on baseline.table_contract (table_id)',
  'index on baseline.table_spc_result (contract_id, captured_at)',
];

/** The copies in the schema `baseline` contain each id as base62 text, so that the statements need not compute it. */
export async function copyBaselineTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('drop schema if exists baseline cascade');
    await client.query('create schema baseline');
    await client.query('create table baseline.base62_id (uuid uuid primary key, base62 text not null)');
    const columns = Object.entries(TABLES).flatMap(([table, names]) => names.map((name) => ({ table, name })));
    const all = columns.map(({ table, name }) => `select ${name} as uuid from ${table} where ${name} is not null`);
    const { rows } = await client.query<{ uuid: string }>(all.join(' union '));
    const uuids = rows.map(({ uuid }) => uuid);
    await client.query('insert into baseline.base62_id select * from unnest($1::uuid[], $2::text[])', [
      uuids,
      uuids.map(encodeId),
    ]);
    for (const [table, names] of Object.entries(TABLES)) {
      const base62Columns = names.map((name) => `, ${name}_id.base62 as ${name}62`).join('');
      const joins = names.map((name) => `left join baseline.base62_id ${name}_id on ${name}_id.uuid = t.${name}`);
      await client.query(
        `create table baseline.${table} as select t.*${base62Columns} from ${table} t ${joins.join(' ')} order by t.ctid`,
      );
    }
    for (const index of INDEXES) await client.query(`create ${index}`);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
