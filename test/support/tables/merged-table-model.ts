import type { NewRow, PageLoad } from './merged-table.js';

interface Held {
  readonly version: number;
  readonly deleted: boolean;
  /** Undefined if the table has no row of the record. */
  readonly value: string | undefined;
}

export class MergedTableModel {
  #held = new Map<string, Held>();
  #rows: string[] = [];

  /** Adds rows in the order of their receipt. They become visible together. */
  add({ mode, deletedRows }: Omit<PageLoad, 'isLast'>, rows: readonly (readonly [NewRow, string])[]): void {
    if (mode === 'replace') [this.#held, this.#rows] = [new Map(), []];
    for (const [{ key, version: time, deleted }, text] of rows) {
      const value = !deleted ? text : mode !== 'upsert' || deletedRows === 'mark' ? 'deleted' : undefined;
      const row = { version: time ?? Number.NEGATIVE_INFINITY, deleted, value };
      if (key === null) this.#rows.push(text);
      else if (mode !== 'upsert') this.#rows.push(value as string);
      else if (isNewer(row, this.#held.get(key))) this.#held.set(key, row);
    }
  }

  get values(): string[] {
    return [...[...this.#held.values()].flatMap(({ value }) => value ?? []), ...this.#rows].sort();
  }
}

function isNewer(row: Held, held: Held | undefined): boolean {
  if (!held) return true;
  if (row.version !== held.version) return row.version > held.version;
  return !held.deleted;
}
