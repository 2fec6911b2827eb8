import type { EntityTable } from '../entities/entity-table.js';
import { type ListSelection, orderSql, type SelectedPage, selectedSql, WHOLE_LIST } from './list-selection.js';

/** Limits the rows per id to the first `count` rows that match `where`. */
export interface RowLimit {
  readonly count: number;
  readonly where: string;
}

/** Appends the parameters of the statement to `values`. */
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
 * Each row ends with the number of all matching rows. PostgreSQL evaluates the conditions once per row. If a condition
 * is expensive, one such statement is therefore faster than separate statements for the page and the count. Appends the
 * parameters of the statement to `values`.
 */
export function countedPageStatement(
  table: EntityTable,
  { where = 'true', limit, offset = 0, selection = WHOLE_LIST }: SelectedPage,
  values: unknown[],
): string {
  const condition = selectedSql(table, where, selection, values);
  const paging = `limit $${values.push(limit)} offset $${values.push(offset)}`;
  const order = orderSql(table, selection);
  const matching = `from "${table.name}" where ${condition}${ofTenant(table, values)}`;
  const page = `select id, count(*) over () as total ${matching} ${order} ${paging}`;
  const rows = `${table.select} where id in (select id from page) ${order}`;
  return `with page as materialized (${page}) select row.*, (select total from page limit 1) from (${rows}) as row`;
}

/** Appends the parameters of the statement to `values`. */
export function countStatement(table: EntityTable, where: string, selection: ListSelection, values: unknown[]): string {
  const condition = selectedSql(table, where, selection, values);
  return `select count(*) from "${table.name}" where ${condition}${ofTenant(table, values)}`;
}

/** `$1` contains the ids, `$2` the maximum number of rows, `$3` the workspace. */
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
 * Orders by the id in `property` first. PostgreSQL then compares other columns, such as names, only for rows with the
 * same id. If `property` is `id`, each id has at most one row, so no order is necessary.
 */
export function orderWithin({ orderBy, columns }: EntityTable, property: string): string {
  if (property === 'id' || !orderBy) return '';
  return orderBy.replace('order by ', `order by "${columns.get(property)}", `);
}

/** For each row of the query `wanted`, selects the first row for which `by` equals `wanted.id` and `where` is true. */
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

/**
 * Returns the SQL condition for the rows of one workspace. Returns an empty string for a table that all workspaces
 * share. The parameter of the workspace follows `values`.
 */
export function ofTenant({ tenantColumn }: EntityTable, values: readonly unknown[]): string {
  return tenantColumn ? ` and "${tenantColumn}" = $${values.length + 1}` : '';
}
