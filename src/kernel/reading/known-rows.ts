import type { EntityClass } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import type { EntityRow } from '../entities/entity-table.js';
import type { MaybePromise } from './lean.js';
import { whenKnown } from './pending.js';

const MAX_LISTS = 2_000;

/**
 * Caches the rows of tables that rarely change. The rows contain all columns. All readers of a process share the rows.
 * When one of the tables changes, the caller must create a new `KnownRows`.
 */
export class KnownRows {
  readonly #lists = new LRUCache<string, EntityRow[]>({ max: MAX_LISTS });

  constructor(private readonly entities: ReadonlySet<EntityClass<object>>) {}

  /** Returns the rows whose `property` is `id`. Caches the result of `load` if `entity` is one of `entities`. */
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
