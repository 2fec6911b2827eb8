import type { EntityRow, EntityTable } from '../entities/entity-tables.js';
import type { ListEdge } from '../entities/list-edge.js';
import { decodeId, encodeId } from '../ids.js';
import type { MaybePromise, Reader } from './reader.js';
import { ofTenant } from './reader-statements.js';

type Rows = MaybePromise<EntityRow[]>;

/** The rows of a list, completely or up to `most`. Batched for all objects of a request. */
export function readList(read: Reader, edge: ListEdge, object: EntityRow): Rows {
  const id = object.id as string;
  const { of, by, match, where, most } = edge;
  if (match || where || !by) return readSelected(read, edge, id);
  if (most) return read.latest(of, by as never, id, most) as Rows;
  const rows = read.many(of, by as never, id) as Rows;
  return rows instanceof Promise ? rows.then(existing) : existing(rows);
}

function existing(rows: EntityRow[]): EntityRow[] {
  return rows.some((row) => row.deletedAt) ? rows.filter((row) => !row.deletedAt) : rows;
}

function readSelected(read: Reader, edge: ListEdge, id: string): Promise<EntityRow[]> {
  return read.batched(`${edge.on.name}.${edge.name}`, id, async (ids, most) => {
    const values = [ids.map(decodeId), most];
    const found = await read.notedRows(edge.of, (table) => listStatement(table, edge, values), values);
    const groups = Map.groupBy(found, ({ note }) => encodeId(note));
    return ids.map((one) => groups.get(one)?.map(({ row }) => row) ?? []);
  });
}

/** `$1` holds the ids of the objects, `$2` the maximum number of rows. */
function listStatement(table: EntityTable, edge: ListEdge, values: readonly unknown[]): string {
  const limit = edge.most ? `limit ${edge.most}` : '';
  const ofOne = `${table.select} where ${conditionOf(table, edge)}${ofTenant(table, values)} ${table.orderBy} ${limit}`;
  return `select row.*, wanted.id from unnest($1::uuid[]) as wanted (id) cross join lateral (${ofOne}) as row limit $2`;
}

function conditionOf({ columns }: EntityTable, { by, match, where = 'true' }: ListEdge): string {
  const belongs = match ?? `"${columns.get(by as string)}" = wanted.id`;
  const exists = columns.has('deletedAt') ? ' and deleted_at is null' : '';
  return `(${belongs}) and (${where})${exists}`;
}
