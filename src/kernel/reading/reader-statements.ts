import type { EntityTable } from '../entities/entity-tables.js';
import { type ListSelection, orderSql, type SelectedPage, selectedSql, WHOLE_LIST } from './list-selection.js';

/** Limits the rows per id to the first `count` that match `where`. */
export interface RowLimit {
  readonly count: number;
  readonly where: string;
}

/** The rows of one page. Appends its parameters to `values`. */
export function pageStatement(
  table: EntityTable,
  { where = 'true', limit, offset = 0, selection = WHOLE_LIST }: SelectedPage,
  values: unknown[],
): string {
  const condition = selectedSql(table, where, selection, values);
  const paging = `limit $${values.push(limit)} offset $${values.push(offset)}`;
  return `${table.select} where ${condition}${ofTenant(table, values)} ${orderSql(table, selection)} ${paging}`;
}

/**
 * The rows of one page, each followed by the number of all rows that match. Evaluates the conditions once per row,
 * which is faster than a page and a count if a condition is expensive. Appends its parameters to `values`.
 */
export function countedPageStatement(
  table: EntityTable,
  { where = 'true', limit, offset = 0, selection = WHOLE_LIST }: SelectedPage,
  values: unknown[],
): string {
  const condition = selectedSql(table, where, selection, values);
  const paging = `limit $${values.push(limit)} offset $${values.push(offset)}`;
  const matching = `select id from "${table.name}" where ${condition}${ofTenant(table, values)}`;
  const page = `${table.select} where id in (select id from matching) ${orderSql(table, selection)} ${paging}`;
  return `with matching as materialized (${matching}) select page.*, (select count(*) from matching) from (${page}) as page`;
}

/** The number of rows that match. Appends its parameters to `values`. */
export function countStatement(table: EntityTable, where: string, selection: ListSelection, values: unknown[]): string {
  const condition = selectedSql(table, where, selection, values);
  return `select count(*) from "${table.name}" where ${condition}${ofTenant(table, values)}`;
}

/** `$1` holds the ids, `$2` the maximum number of rows, `$3` the workspace. */
export function batchStatement(table: EntityTable, property: string, most?: RowLimit): string {
  const { select, orderBy, columns } = table;
  const column = `"${columns.get(property)}"`;
  const isOwn = ofTenant(table, ['ids', 'limit']);
  if (most === undefined)
    return `${select} where ${column} = any($1::uuid[])${isOwn} ${orderWithin(table, property)} limit $2`;
  const ofOne = `${select} where ${column} = wanted.id and (${most.where})${isOwn} ${orderBy} limit ${most.count}`;
  return `select row.* from unnest($1::uuid[]) as wanted (id) cross join lateral (${ofOne}) as row limit $2`;
}

/**
 * The order of the rows of each id. Comparing ids first is faster: most names are then never compared. A single row
 * needs no order.
 */
export function orderWithin({ orderBy, columns }: EntityTable, property: string): string {
  if (property === 'id' || !orderBy) return '';
  return orderBy.replace('order by ', `order by "${columns.get(property)}", `);
}

/** SQL for the first row of each id that the query `wanted` returns. */
export function firstOfEach(
  table: EntityTable,
  by: string,
  wanted: string,
  values: readonly unknown[],
  where: string,
): string {
  const isWanted = `"${table.columns.get(by)}" = wanted.id and (${where})`;
  const isFirst = `${isWanted}${ofTenant(table, values)} ${table.orderBy} limit 1`;
  return `from (${wanted}) as wanted cross join lateral (${table.select} where ${isFirst}) as row`;
}

/** The condition on the workspace, whose parameter follows `values`. */
export function ofTenant({ tenantColumn }: EntityTable, values: readonly unknown[]): string {
  return tenantColumn ? ` and "${tenantColumn}" = $${values.length + 1}` : '';
}
