import type { EntityClass } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import type { EntityRow } from '../entities/entity-table.js';
import type { MaybePromise } from './lean.js';
import { whenKnown } from './pending.js';

const MAX_LISTS = 2_000;

/**
 * Rows of tables that change rarely, with all columns. All readers of a process share the rows. When one of the tables
 * changes, the owner creates a new `KnownRows`.
 */
export class KnownRows {
  readonly #lists = new LRUCache<string, EntityRow[]>({ max: MAX_LISTS });

  constructor(private readonly entities: ReadonlySet<EntityClass<object>>) {}

  /** Returns the rows whose `property` is `id`. For the entities of this object, caches the result of `load`. */
  load(
    entity: EntityClass<object>,
    property: string,
    id: string,
    load: () => MaybePromise<EntityRow[]>,
  ): MaybePromise<EntityRow[]> {
    if (!this.entities.has(entity)) return load();
    const key = `${entity.name}.${property}.${id}`;
    return (
      this.#lists.get(key) ??
      whenKnown(load(), (rows) => {
        this.#lists.set(key, rows);
        return rows;
      })
    );
  }
}
