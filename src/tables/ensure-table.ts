import type { EntityManager } from '@mikro-orm/postgresql';
import { relationEquals } from '../kernel/entities/tenant-table.js';
import { executePrepared } from '../kernel/execute-prepared.js';
import { decodeId, SYSTEM_USER_ID } from '../kernel/ids.js';
import { CatalogTable } from './catalog-table.js';
import type { TableSchema } from './table-schema.js';

/** A concurrent insert for the same tap blocks here until the first transaction ends. */
const INSERT_TABLE = `
insert into catalog_table (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, schema, schema_version, rows, bytes, file_count, rejected_rows)
values (gen_random_uuid(), now(), ?, now(), ?, ?, ?, ?, 1, 0, 0, 0, 0) on conflict (tenant_id, tap_id) do nothing`;

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
  const by = decodeId(SYSTEM_USER_ID);
  await executePrepared(em, INSERT_TABLE, [by, by, decodeId(tenantId), decodeId(tapId), JSON.stringify(schema)]);
  return em.findOneOrFail(CatalogTable, relationEquals('tap_id', tapId));
}
