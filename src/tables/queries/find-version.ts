import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogTable } from '../catalog-table.js';
import type { TableField } from '../table-schema.js';
import { IS_READABLE } from '../table-version.js';

/** Defaults to the current version. */
export interface VersionQuery {
  readonly version?: number | null | undefined;
  readonly asOf?: Date | null | undefined;
}

const BY_NUMBER = `
select number, ${IS_READABLE} from table_version where tenant_id = $1 and table_id = $2 and number = $3`;

const BY_TIME = `
select number, ${IS_READABLE} from table_version where tenant_id = $1 and table_id = $2 and created_at <= $3
order by number desc limit 1`;

const OLDEST = `
select number from table_version where tenant_id = $1 and table_id = $2 and ${IS_READABLE} order by number limit 1`;

const LATER_COLUMNS = `
select added_columns from table_version where tenant_id = $1 and table_id = $2 and number > $3 and added_columns is not null`;

/**
 * Returns the number of the requested version, or undefined if the query has neither a number nor a time. Throws
 * BAD_REQUEST if the query has both. Throws NOT_FOUND if the version never existed, or if the service has removed it.
 */
export async function findVersion(
  read: Reader,
  table: Lean<CatalogTable>,
  { version, asOf }: VersionQuery,
): Promise<number | undefined> {
  if (version == null && asOf == null) return undefined;
  if (version != null && asOf != null) throw new AppError('BAD_REQUEST', 'version and asOf cannot be combined.');
  const place = placeOf(table);
  const wanted = version ?? (asOf as Date).toISOString();
  const [found] = await read.rows(version == null ? BY_TIME : BY_NUMBER, [...place, wanted]);
  if (found?.[1] === 't') return Number(found[0]);
  const [oldest] = await read.rows(OLDEST, place);
  const existed = Boolean(found) || (asOf != null && asOf >= new Date(table.createdAt));
  throw new AppError('NOT_FOUND', reasonOf(oldest && Number(oldest[0]), table.version, { version, existed }));
}

function reasonOf(
  oldest: number | undefined,
  current: number,
  { version, existed }: { readonly version: number | null | undefined; readonly existed: boolean },
): string {
  if (oldest === undefined) return 'The table has no version yet.';
  const range = `Versions ${oldest} to ${current} can be read.`;
  if (version != null)
    return version < oldest && version > 0
      ? `The service has removed the version, because a newer version replaced it too long ago. ${range}`
      : `The table has no such version. ${range}`;
  return oldest > 1 && existed
    ? `The service has removed the version of this time, because a newer version replaced it too long ago. ${range}`
    : `The table had no version at this time. ${range}`;
}

export async function fieldsInVersion(
  read: Reader,
  table: Lean<CatalogTable>,
  version: number | undefined,
): Promise<readonly TableField[]> {
  const { fields } = table.schema;
  if (version === undefined || version === table.version) return fields;
  const rows = await read.rows(LATER_COLUMNS, [...placeOf(table), version]);
  const later = rows.flatMap(([columns]) => JSON.parse(columns as string) as TableField[]);
  const names = new Set(later.map(({ name }) => name));
  return fields.filter(({ name }) => !names.has(name));
}

function placeOf({ tenantId, id }: Lean<CatalogTable>): unknown[] {
  return [decodeId(tenantId), decodeId(id)];
}
