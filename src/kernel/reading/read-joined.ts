import type { EntityClass } from '@mikro-orm/core';
import type { EntityRow } from '../entities/entity-table.js';
import type { Lean, Reader } from './reader.js';

/** Entities by their alias in a statement. */
type Parts = Readonly<Record<string, EntityClass<object>>>;

/** Rows by alias. Undefined for a missing row. */
export type JoinedRows<Joined extends Parts> = {
  readonly [Alias in keyof Joined]: Joined[Alias] extends EntityClass<infer Entity extends object>
    ? Lean<Entity> | undefined
    : never;
};

/**
 * Reads one row of each table with one statement, and caches the rows. `from` is the part of the statement after FROM.
 * Returns undefined if the statement returns no row.
 */
export async function readJoined<Joined extends Parts>(
  read: Reader,
  parts: Joined,
  from: string,
  values: readonly unknown[],
): Promise<JoinedRows<Joined> | undefined> {
  const tables = Object.entries(parts).map(([alias, entity]) => ({ alias, entity, table: read.tables.of(entity) }));
  const columns = tables.flatMap(({ alias, table }) =>
    table.names.map((name) => `${alias}."${table.columns.get(name)}"`),
  );
  const [texts] = await read.rows(`select ${columns.join(', ')} from ${from}`, values);
  if (!texts) return undefined;
  let at = 0;
  const rows = tables.map(({ alias, entity, table }) => {
    const row = rowOf(texts.slice(at, (at += table.names.length)));
    if (row) read.provide(entity, 'id', row.id as string, [row]);
    return [alias, row];

    function rowOf(part: (string | null)[]): EntityRow | undefined {
      return part[table.names.indexOf('id')] === null ? undefined : table.decode(part);
    }
  });
  return Object.fromEntries(rows) as JoinedRows<Joined>;
}
