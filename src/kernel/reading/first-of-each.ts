import type { EntityClass } from '@mikro-orm/core';
import { encodeId } from '../ids.js';
import type { Lean } from './lean.js';
import type { Reader } from './reader.js';
import { firstOfEach } from './reader-statements.js';

/** Which rows: the first by `property` for each row of the query `wanted`. */
export interface Firsts {
  readonly property: string;
  /**
   * Query with the columns `id`, `place` to order by, and `note`, a text returned with the row. It must filter by
   * workspace itself.
   */
  readonly wanted: string;
  readonly values: readonly unknown[];
  /** Condition that may compare columns of both. */
  readonly where: string;
}

/** The first row of the entity for each row of a query. */
export async function readFirstOfEach<Entity extends object>(
  read: Reader,
  entity: EntityClass<Entity>,
  { property, wanted, values, where }: Firsts,
): Promise<{ row: Lean<Entity>; note: string }[]> {
  const own = [...values, read.maxRows];
  const limit = `order by wanted.place limit $${own.length}`;
  const found = await read.notedRows(
    entity,
    (table) => `select row.*, wanted.note ${firstOfEach(table, property, wanted, own, where)} ${limit}`,
    own,
  );
  return found as { row: Lean<Entity>; note: string }[];
}

/** The ids of these rows, in their order and without limit, because only ids are read. */
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
