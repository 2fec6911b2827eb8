import type { EntityRow } from '../entities/entity-table.js';

export class RowIndex {
  /** Ids are unique across all tables. */
  readonly #byId = new Map<string, EntityRow>();
  /**
   * Rows that are not in `#byId` yet, by entity. The index adds them at the first search by id, because most rows are
   * never searched.
   */
  readonly #added = new Map<string, EntityRow[][]>();
  readonly #branches = new WeakMap<readonly EntityRow[], Map<string | null, EntityRow[]>>();

  add(entity: string, rows: EntityRow[]): EntityRow[] {
    const added = this.#added.get(entity);
    if (added) added.push(rows);
    else this.#added.set(entity, [rows]);
    return rows;
  }

  of(entity: string): (id: string) => EntityRow | undefined {
    for (const rows of this.#added.get(entity)?.splice(0) ?? [])
      for (const row of rows) this.#byId.set(row.id as string, row);
    return (id) => this.#byId.get(id);
  }

  /** Returns the rows whose `part` is `value`. Every call with the same `rows` must have the same `part`. */
  branch(rows: readonly EntityRow[], part: string, value: string | null): EntityRow[] {
    let branches = this.#branches.get(rows);
    if (!branches) this.#branches.set(rows, (branches = Map.groupBy(rows, (row) => row[part] as string | null)));
    return branches.get(value) ?? [];
  }

  clear(): void {
    this.#byId.clear();
    this.#added.clear();
  }
}
