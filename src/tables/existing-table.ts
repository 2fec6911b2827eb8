import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { AppError } from '../kernel/errors.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import { CatalogTable } from './catalog-table.js';

type Row = Lean<CatalogTable>;

/** SQL condition: the tap of the table is promoted (see `commitTableFiles`) and not deleted. */
export const IN_CATALOG = `exists (
  select from tenant_connector_tap tap where tap.tenant_id = catalog_table.tenant_id and tap.id = catalog_table.tap_id
    and tap.promoted_at is not null and tap.deleted_at is null)`;

/** Returns undefined if the table does not exist or is not in the workspace catalog. */
export async function findCatalogTable(read: Reader, id: string): Promise<Row | undefined> {
  const table = await read.byId(CatalogTable, id);
  return table && isInCatalog(await read.byId(TenantConnectorTap, table.tap)) ? table : undefined;
}

/** Like `findCatalogTable`, for the table of a tap. */
export async function findTableOfTap(read: Reader, tap: Lean<TenantConnectorTap>): Promise<Row | undefined> {
  return isInCatalog(tap) ? (await read.many(CatalogTable, 'tap', tap.id))[0] : undefined;
}

/** Throws NOT_FOUND if the table is not in the workspace catalog. */
export async function readCatalogTable(read: Reader, id: string): Promise<Row> {
  const table = await findCatalogTable(read, id);
  if (!table) throw new AppError('NOT_FOUND', 'The workspace catalog has no table with this id.');
  return table;
}

function isInCatalog(tap: Lean<TenantConnectorTap> | undefined): boolean {
  return Boolean(tap?.promotedAt && !tap.deletedAt);
}
