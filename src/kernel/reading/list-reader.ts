import type { EntityRow, EntityTable } from '../entities/entity-table.js';
import type { ListEdge } from '../entities/list-edge.js';
import { decodeId, encodeId } from '../ids.js';
import { conditionsSql, isAdHoc, type ListSelection, orderSql, WHOLE_LIST } from './list-selection.js';
import { existingRows } from './load-edge.js';
import { whenKnown } from './pending.js';
import type { MaybePromise, Reader } from './reader.js';
import { ofTenant } from './reader-statements.js';

type Rows = MaybePromise<EntityRow[]>;

/** The page that a request reads from the list of each object. */
export interface ListPage extends ListSelection {
  readonly limit?: number | undefined;
  readonly offset: number;
}

/** One statement reads the lists of all objects of a request, with at most `most` rows each. */
export function readList(read: Reader, edge: ListEdge, object: EntityRow): Rows {
  const id = object.id as string;
  const { of, by, match, where, most } = edge;
  if (match || where || !by) return readListPage(read, edge, object, { ...WHOLE_LIST, offset: 0 });
  if (most) return read.latest(of, by as never, id, most) as Rows;
  return whenKnown(read.many(of, by as never, id) as Rows, existingRows);
}

/** One statement reads the pages for all objects of a request. */
export function readListPage(read: Reader, edge: ListEdge, object: EntityRow, page: ListPage): Rows {
  return read.batched(nameOf(edge, page), object.id as string, async (ids, most) => {
    const values: unknown[] = [ids.map(decodeId), most];
    const statement = (table: EntityTable) => pageStatement(table, edge, page, values);
    const found = await read.notedRows(edge.of, statement, values, isAdHoc(page));
    const groups = Map.groupBy(found, ({ note }) => encodeId(note));
    return ids.map((one) => groups.get(one)?.map(({ row }) => row) ?? []);
  });
}

/** One statement counts the rows for all objects of a request. */
export function readListTotal(
  read: Reader,
  edge: ListEdge,
  object: EntityRow,
  selection: ListSelection,
): MaybePromise<number> {
  return read.batched(`${nameOf(edge, selection)} total`, object.id as string, async (ids) => {
    const values: unknown[] = [ids.map(decodeId)];
    const statement = (table: EntityTable) => totalStatement(table, edge, selection, values);
    const counts = new Map((await read.texts(edge.of, statement, values, isAdHoc(selection))) as [string, string][]);
    return ids.map((id) => Number(counts.get(decodeId(id) as string)));
  });
}

function nameOf({ on, name }: ListEdge, selection: object): string {
  return `${on.name}.${name} ${JSON.stringify(selection)}`;
}

/**
 * Appends the values of the statement to `values`. `$1` contains the ids of the objects, and `$2` the maximum number of
 * rows.
 */
function pageStatement(table: EntityTable, edge: ListEdge, page: ListPage, values: unknown[]): string {
  const condition = conditionOf(table, edge, page, values);
  const limit = page.limit ?? edge.most;
  const paging = `${limit ? `limit $${values.push(limit)}` : ''} offset $${values.push(page.offset)}`;
  const order = orderSql(table, page);
  const ofOne = `${table.select} where ${condition}${ofTenant(table, values)} ${order} ${paging}`;
  return `select row.*, wanted.id from unnest($1::uuid[]) as wanted (id) cross join lateral (${ofOne}) as row limit $2`;
}

function totalStatement(table: EntityTable, edge: ListEdge, selection: ListSelection, values: unknown[]): string {
  const condition = conditionOf(table, edge, selection, values);
  const count = `select count(*) from "${table.name}" where ${condition}${ofTenant(table, values)}`;
  return `select wanted.id, (${count}) from unnest($1::uuid[]) as wanted (id)`;
}

function conditionOf(table: EntityTable, edge: ListEdge, selection: ListSelection, values: unknown[]): string {
  const { by, match, where = 'true' } = edge;
  const belongs = match ?? `"${table.columns.get(by as string)}" = wanted.id`;
  const exists = table.columns.has('deletedAt') ? ' and deleted_at is null' : '';
  return `(${belongs}) and (${where})${exists} and (${conditionsSql(table, selection, values)})`;
}
