import type { EntityClass } from '@mikro-orm/core';
import type { EntityRow, EntityTable } from '../entities/entity-table.js';
import type { Tables } from '../entities/entity-tables.js';

interface Usage {
  readonly full: EntityTable;
  readonly properties: Set<string>;
  /** Whether the operation has read rows. Without rows, the columns that its resolvers use are unknown. */
  isKnown: boolean;
  isSettled: boolean;
  current: EntityTable;
}

/**
 * Selects only the columns that one operation uses: the fields of its document, and the columns that its resolvers used
 * in its first execution. If a later execution uses another column, the result of this execution is invalid. `revision`
 * changes, and later statements select the column.
 */
export class UsedColumns implements Tables {
  revision = 0;
  readonly #usages = new Map<string, Usage>();

  constructor(
    private readonly tables: Tables,
    /** Names of the selected fields, by type. */
    private readonly selected: ReadonlyMap<string, ReadonlySet<string>>,
  ) {}

  of(entity: EntityClass<object>): EntityTable {
    let usage = this.#usages.get(entity.name);
    if (!usage) this.#usages.set(entity.name, (usage = this.#newUsage(entity)));
    return usage.current;
  }

  /** Ends the recording of used columns for entities whose rows the operation has read. */
  settle(): void {
    for (const usage of this.#usages.values()) {
      if (!usage.isKnown || usage.isSettled) continue;
      usage.isSettled = true;
      this.#select(usage);
    }
  }

  #newUsage(entity: EntityClass<object>): Usage {
    const full = this.tables.of(entity);
    const properties = new Set(this.selected.get(entity.name));
    const usage: Usage = { full, properties, isKnown: false, isSettled: false, current: full };
    usage.current = {
      ...full,
      decode: (values) => recorded(full.decode(values), usage),
      decodeAt: (arrays, at) => recorded(full.decodeAt(arrays, at), usage),
    };
    return usage;
  }

  #select(usage: Usage): void {
    const { full, properties } = usage;
    usage.current = full.only(properties, (property) => {
      properties.add(property);
      this.revision += 1;
      this.#select(usage);
    });
  }
}

function recorded(row: EntityRow, usage: Usage): EntityRow {
  usage.isKnown = true;
  return new Proxy(row, {
    get(target, property) {
      usage.properties.add(property as string);
      return target[property as string];
    },
  });
}
