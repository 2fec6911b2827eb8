import type { EntityManager } from '@mikro-orm/postgresql';
import { relationEquals } from '../kernel/entities/tenant-table.js';
import { executePrepared } from '../kernel/execute-prepared.js';
import { decodeId, encodeId, SYSTEM_USER_ID } from '../kernel/ids.js';
import { CatalogTable } from './catalog-table.js';
import type { TableSchema } from './table-schema.js';

/** Waits for the end of a concurrent transaction that inserts a table for the same tap. */
const INSERT_TABLE = `
insert into catalog_table (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, schema, schema_version, rows, bytes, file_count, rejected_rows)
values (gen_random_uuid(), now(), ?, now(), ?, ?, ?, ?, 1, 0, 0, 0, 0) on conflict (tenant_id, tap_id) do nothing`;

/** Returns no row if a concurrent transaction inserts a table for the same tap after the snapshot of this statement. */
const FIND_OR_INSERT_TABLE = `
with added as (${INSERT_TABLE} returning id)
select id from added union all select id from catalog_table where tenant_id = ? and tap_id = ? limit 1`;

export async function ensureTableId(
  em: EntityManager,
  tenantId: string,
  tapId: string,
  schema: TableSchema,
): Promise<string> {
  const values = [...insertValues(tenantId, tapId, schema), ...[tenantId, tapId].map(decodeId)];
  const [row] = await executePrepared<{ id: string }>(em, FIND_OR_INSERT_TABLE, values);
  return row ? (encodeId(row.id) as string) : (await ensureTable(em, tenantId, tapId, schema)).id;
}

/**
 * Returns the table of a tap, and creates it with `schema` if it does not exist. Requires a transaction of the
 * workspace.
 */
export async function ensureTable(
  em: EntityManager,
  tenantId: string,
  tapId: string,
  schema: TableSchema,
): Promise<CatalogTable> {
  await executePrepared(em, INSERT_TABLE, insertValues(tenantId, tapId, schema));
  return em.findOneOrFail(CatalogTable, relationEquals('tap_id', tapId));
}

function insertValues(tenantId: string, tapId: string, schema: TableSchema): unknown[] {
  return [...[SYSTEM_USER_ID, SYSTEM_USER_ID, tenantId, tapId].map(decodeId), JSON.stringify(schema)];
}
