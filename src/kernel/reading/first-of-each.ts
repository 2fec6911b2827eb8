import type { EntityClass } from '@mikro-orm/core';
import type { EntityTable } from '../entities/entity-table.js';
import { encodeId } from '../ids.js';
import type { Lean } from './lean.js';
import {
  conditionsSql,
  isAdHoc,
  type ListSelection,
  type OptionalPage,
  orderSql,
  WHOLE_LIST,
} from './list-selection.js';
import type { Reader } from './reader.js';
import { firstOfEach } from './reader-statements.js';

/**
 * For each row of the query `wanted`, selects one row of an entity: the first row whose `property` equals the `id` of
 * the wanted row.
 */
export interface Firsts {
  readonly property: string;
  /**
   * Query with the columns `id`, `place` and `note`. `place` determines the order. The reader returns the string `note`
   * with the row. The query must filter by workspace.
   */
  readonly wanted: string;
  readonly values: readonly unknown[];
  /** Condition that may compare columns of `row` and `wanted`. */
  readonly where: string;
}

/** If `page` is set, reads only this page of the rows that match the selection. */
export async function readFirstOfEach<Entity extends object>(
  read: Reader,
  entity: EntityClass<Entity>,
  firsts: Firsts,
  page?: OptionalPage,
): Promise<{ row: Lean<Entity>; note: string }[]> {
  const own = [...firsts.values];
  const statement = (table: EntityTable): string => {
    const limit = `limit $${own.push(read.maxRows)}`;
    return `select row.*, wanted.note ${fromFirsts(table, firsts, page, own)} order by wanted.place ${limit}`;
  };
  const found = await read.notedRows(entity, statement, own, page && isAdHoc(page.selection ?? WHOLE_LIST));
  return found as { row: Lean<Entity>; note: string }[];
}

export async function countFirstOfEach(
  read: Reader,
  entity: EntityClass<object>,
  firsts: Firsts,
  selection: ListSelection,
): Promise<number> {
  const own = [...firsts.values];
  const statement = (table: EntityTable) => `select count(*) ${matchingFirsts(table, firsts, selection, own)}`;
  const [row] = await read.texts(entity, statement, own, isAdHoc(selection));
  return Number(row?.[0]);
}

/** Reads all ids, without pages, because ids are short. */
export async function readIdsOfFirst(
  read: Reader,
  entity: EntityClass<object>,
  { property, wanted, values, where }: Firsts,
): Promise<string[]> {
  const ids = `string_agg(row.id::text, ',' order by wanted.place)`;
  const [found] = await read.texts(
    entity,
    (table) => `select ${ids} ${firstOfEach(table, property, wanted, values, where)}`,
    values,
  );
  return found?.[0]?.split(',').map(encodeId) ?? [];
}

/**
 * Returns the part of the statement after `select`, and appends the parameter values of this part to `own`. The
 * parameter of the workspace follows all other parameters.
 */
function fromFirsts(table: EntityTable, firsts: Firsts, page: OptionalPage | undefined, own: unknown[]): string {
  if (!page) return firstOfEach(table, firsts.property, firsts.wanted, own, firsts.where);
  const { selection = WHOLE_LIST, limit, offset = 0 } = page;
  const paging = `${limit ? `limit $${own.push(limit)} ` : ''}offset $${own.push(offset)}`;
  const order = selection.order ? orderSql(table, selection) : 'order by place';
  const matching = matchingFirsts(table, firsts, selection, own);
  const ids = `select id, note, row_number() over (${order}) as place ${matching} ${order} ${paging}`;
  return firstOfEach(table, 'id', ids, own, 'true');
}

/** Selects all columns of the table, because an operation may filter and order by columns that it does not return. */
function matchingFirsts(table: EntityTable, firsts: Firsts, selection: ListSelection, own: unknown[]): string {
  const condition = conditionsSql(table, selection, own);
  const whole = { ...table, select: `select * from "${table.name}"` };
  const found = firstOfEach(whole, firsts.property, firsts.wanted, own, firsts.where);
  return `from (select row.*, wanted.note, wanted.place ${found}) as found where ${condition}`;
}
