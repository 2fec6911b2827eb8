import type { EntityTable } from '../entities/entity-table.js';
import type { Compare } from '../entities/listed.js';
import { AppError } from '../errors.js';
import { decodeId } from '../ids.js';

/** Kind of comparison between a column and the value of a filter. */
export type FilterKind = 'ids' | 'values' | 'text' | 'flag' | 'time';

export interface Condition {
  readonly property: string;
  readonly kind: FilterKind;
  /** SQL condition on a property that is not a column. */
  readonly conditionOf?: ((compare: Compare) => string) | undefined;
  readonly value: unknown;
}

export interface ListOrder {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
  readonly isNullable: boolean;
}

export interface ListSelection {
  readonly conditions: readonly Condition[];
  readonly order?: ListOrder | undefined;
  /** Whether the query selects the total. */
  readonly counts: boolean;
}

/** `where` is an SQL condition on columns. */
export interface SelectedPage {
  readonly where?: string;
  readonly limit: number;
  readonly offset?: number;
  readonly selection?: ListSelection;
}

export interface OptionalPage extends Omit<SelectedPage, 'limit'> {
  /** Null or undefined selects all rows. */
  readonly limit?: number | null | undefined;
}

export const WHOLE_LIST: ListSelection = { conditions: [], counts: true };

export function isWholeList({ limit, offset, selection: { conditions, order } = WHOLE_LIST }: OptionalPage): boolean {
  return !limit && !offset && !order && conditions.length === 0;
}

export function requireAtMost(most: number, rows: readonly unknown[]): void {
  if (rows.length > most)
    throw new AppError(
      'BAD_REQUEST',
      `The list has more than ${most.toLocaleString('en')} items. Request pages with limit and offset.`,
    );
}

/** A selection with conditions or an order rarely repeats, so PostgreSQL should not keep its statement prepared. */
export function isAdHoc({ conditions, order }: ListSelection): boolean {
  return conditions.length > 0 || order !== undefined;
}

/** Returns whether PostgreSQL must compute a value for each row to check a condition. */
export function hasComputedCondition({ conditions }: ListSelection): boolean {
  return conditions.some(({ conditionOf }) => conditionOf !== undefined);
}

/** Appends the values of the conditions to `values`. */
export function conditionsSql(table: EntityTable, { conditions }: ListSelection, values: unknown[]): string {
  return conditions.map((condition) => conditionSql(table, condition, values)).join(' and ') || 'true';
}

/** Appends the values of the conditions to `values`. */
export function selectedSql(table: EntityTable, where: string, selection: ListSelection, values: unknown[]): string {
  return `(${where}) and (${conditionsSql(table, selection, values)})`;
}

function conditionSql({ columns }: EntityTable, condition: Condition, values: unknown[]): string {
  const compare = (expression: string) => comparisonSql(expression, condition, values);
  return condition.conditionOf?.(compare) ?? compare(`"${columns.get(condition.property)}"`);
}

function comparisonSql(column: string, { kind, value }: Condition, values: unknown[]): string {
  const bound = (one: unknown): string => `$${values.push(one)}`;
  if (kind === 'ids') return `${column} = any(${bound((value as string[]).map(decodeId))}::uuid[])`;
  if (kind === 'values') return `${column} = any(${bound(value)}::text[])`;
  if (kind === 'text') return `strpos(lower(${column}), lower(${bound(value)})) > 0`;
  if (kind === 'flag') return `${column} = ${bound(value)}`;
  const { from, until } = value as { from?: Date | null; until?: Date | null };
  const ends = [...(from ? [`${column} >= ${bound(from)}`] : []), ...(until ? [`${column} < ${bound(until)}`] : [])];
  return ends.join(' and ') || 'true';
}

/** The id makes the order unique, so that each row is on exactly one page. */
export function orderSql({ columns, orderBy }: EntityTable, { order }: ListSelection): string {
  if (!order) return orderBy;
  const nulls = order.isNullable ? ' nulls last' : '';
  return `order by "${columns.get(order.property)}" ${order.direction}${nulls}, "id"`;
}
