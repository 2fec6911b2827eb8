import type { EntityClass, EntityManager } from '@mikro-orm/core';
import { AUDIT_FIELDS } from '../../kernel/entities/audited.js';
import type { Removals } from './removals.js';

/**
 * Matches rows to definitions by key. `put` updates or creates a row. `removeOthers` adds all other rows to the
 * removals.
 */
export function reconcileRows<Row extends object>(
  em: EntityManager,
  entity: EntityClass<Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
) {
  const left = new Map(rows.map((row) => [keyOf(row), row]));
  return {
    put(key: string, values: object): Row {
      const row = writeRow(em, entity, values, left.get(key));
      left.delete(key);
      return row;
    },
    removeOthers(removals: Removals): void {
      for (const row of left.values()) removals.add(row);
    },
  };
}

const UNMANAGED_COLUMNS: readonly string[] = [...AUDIT_FIELDS, 'position'];

/** Columns that `values` does not contain become null, except `slug` and `UNMANAGED_COLUMNS`. */
export function writeRow<Row extends object>(
  em: EntityManager,
  entity: EntityClass<Row>,
  values: object,
  existing?: Row,
): Row {
  const row = (existing ?? new (entity as new () => Row)()) as Record<string, unknown>;
  for (const { name, kind, persist, runtimeType } of em.getMetadata().get(entity).props) {
    if (kind !== 'scalar' || persist === false || UNMANAGED_COLUMNS.includes(name)) continue;
    if (name === 'slug' && !('slug' in values)) continue;
    const value = (values as Record<string, unknown>)[name] ?? null;
    row[name] = runtimeType === 'Date' && typeof value === 'string' ? new Date(value) : value;
  }
  em.persist(row);
  return row as Row;
}
