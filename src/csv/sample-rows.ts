import type { ColumnName } from './header/name-columns.js';
import { MAX_SAMPLE_CHARACTERS, MAX_SAMPLE_VALUE_CHARACTERS, SAMPLE_ROWS } from './model/csv-limits.js';
import type { SampleRow } from './model/data-schema.js';

/** Rows of a preview: the first 20, or fewer rows if they are large. */
export class SampleRows {
  readonly rows: SampleRow[] = [];
  readonly #sizeOfNames: number;
  #size = 0;
  #isFull = false;

  constructor(private readonly columns: readonly ColumnName[]) {
    this.#sizeOfNames = columns.reduce((sum, { name }) => sum + name.length, 0);
  }

  static of(columns: readonly ColumnName[], rows: Iterable<readonly string[]>): readonly SampleRow[] {
    const sample = new SampleRows(columns);
    for (const row of rows) sample.add(row);
    return sample.rows;
  }

  /** Drops the first row that would exceed the limits of the preview, and all later rows. */
  add(values: readonly string[]): void {
    if (this.#isFull) return;
    const row = this.#rowOf(values);
    this.#size += this.#sizeOfNames + Object.values(row).reduce((sum, value) => sum + (value?.length ?? 0), 0);
    this.#isFull = this.#size > MAX_SAMPLE_CHARACTERS || this.rows.push(row) === SAMPLE_ROWS;
  }

  /** Missing values of a short row become null. Drops excess values. */
  #rowOf(values: readonly string[]): SampleRow {
    const row: SampleRow = Object.create(null);
    for (const [index, { name }] of this.columns.entries())
      row[name] = values[index]?.slice(0, MAX_SAMPLE_VALUE_CHARACTERS).toWellFormed() ?? null;
    return row;
  }
}
