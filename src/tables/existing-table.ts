import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { AppError } from '../kernel/errors.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import { CatalogTable } from './catalog-table.js';

type Row = Lean<CatalogTable>;

/** Says which tables are in the workspace catalog: those whose tap was promoted, and not deleted. */
export const IN_CATALOG = `exists (
  select from tenant_connector_tap tap where tap.tenant_id = catalog_table.tenant_id and tap.id = catalog_table.tap_id
    and tap.promoted_at is not null and tap.deleted_at is null)`;

/** A table of the workspace catalog; undefined where there is none, or none yet, or none any more. */
export async function findCatalogTable(read: Reader, id: string): Promise<Row | undefined> {
  const table = await read.byId(CatalogTable, id);
  return table && isInCatalog(await read.byId(TenantConnectorTap, table.tap)) ? table : undefined;
}

/** That of a tap. */
export async function findTableOfTap(read: Reader, tap: Lean<TenantConnectorTap>): Promise<Row | undefined> {
  return isInCatalog(tap) ? (await read.many(CatalogTable, 'tap', tap.id))[0] : undefined;
}

/** Throws NOT_FOUND. */
export async function readCatalogTable(read: Reader, id: string): Promise<Row> {
  const table = await findCatalogTable(read, id);
  if (!table) throw new AppError('NOT_FOUND', 'There is no table of that id in the workspace catalog.');
  return table;
}

function isInCatalog(tap: Lean<TenantConnectorTap> | undefined): boolean {
  return Boolean(tap?.promotedAt && !tap.deletedAt);
}
