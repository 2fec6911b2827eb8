import type { EntityTable } from '../entities/entity-table.js';
import type { Tables } from '../entities/entity-tables.js';
import type { FollowedLevel } from './followed-edges.js';
import { orderWithin } from './reader-statements.js';

/** `table` has the columns that the operation uses. */
export interface LevelTable extends FollowedLevel {
  readonly table: EntityTable;
}

/**
 * Returns the levels that one statement can read together with the list. Omits a level if JSON arrays cannot represent
 * one of its columns. Also omits a level if the operation does not select the columns that connect it to the level
 * above.
 */
export function levelTables(
  list: EntityTable,
  levels: readonly FollowedLevel[],
  tables: Tables,
): readonly LevelTable[] {
  if (!list.arrays) return [];
  const found: LevelTable[] = [];
  const indexes = new Map([[-1, -1]]);
  for (const [index, level] of levels.entries()) {
    const above = indexes.get(level.above);
    const table = tables.of(level.entity);
    if (above === undefined) continue;
    const { names } = found[above]?.table ?? list;
    const isConnected = table.names.includes(level.by) && level.keys.every((key) => names.includes(key));
    if (isConnected && table.arrays) indexes.set(index, found.push({ ...level, above, table }) - 1);
  }
  return found;
}

/**
 * Builds one statement for a list and the rows to which its edges lead. The statement returns one row with a JSON array
 * for each column of each level, because one large value is faster to transfer than many rows. `most` limits the rows
 * of each level. Appends `most` to `values`, and also `tenantId` if the table of a level has a tenant column.
 */
export function followedStatement(
  list: EntityTable,
  statement: string,
  levels: readonly LevelTable[],
  values: unknown[],
  most: number,
  tenantId: string | null | undefined,
): string {
  const limit = `$${values.push(most)}`;
  const tenant = levels.some(({ table }) => table.tenantColumn) ? `$${values.push(tenantId)}` : '';
  const rows = [statement, ...levels.map((level) => levelStatement(level, list, levels, limit, tenant))];
  const parts = rows.map((text, at) => `level${at} as materialized (${text})`);
  const arrays = [list, ...levels.map(({ table }) => table)].map(
    ({ arrays }, at) => `(select ${arrays} from level${at}) as arrays${at}`,
  );
  return `with ${parts.join(', ')} select * from ${arrays.join(', ')}`;
}

/**
 * `most` and `tenant` are SQL parameters. The ids are an array, so that PostgreSQL uses the index of the column instead
 * of a sequential scan.
 */
function levelStatement(
  { table, by, keys, above }: LevelTable,
  list: EntityTable,
  levels: readonly LevelTable[],
  most: string,
  tenant: string,
): string {
  const { columns } = levels[above]?.table ?? list;
  const keyColumns = keys.map((key) => `"${columns.get(key)}"`);
  const ids = `array(select coalesce(${keyColumns}) from level${above + 1})`;
  const isOwn = table.tenantColumn ? ` and "${table.tenantColumn}" = ${tenant}` : '';
  return `${table.select} where "${table.columns.get(by)}" = any(${ids})${isOwn} ${orderWithin(table, by)} limit ${most}`;
}
