import { CsvError } from '../model/csv-error.js';

/** If a smaller share of the rows has the same number of values, the file has no readable table. */
const MIN_EVEN_SHARE = 0.25;

/** If a larger share of the rows has more values than columns, the file has no readable table. */
const MAX_LONG_SHARE = 0.5;

/** Counts the rows of a table by their number of values, to determine whether the file has a readable table. */
export class RowWidths {
  readonly #counts = new Map<number, number>();
  #total = 0;
  #long = 0;
  #firstLong: { readonly line: number; readonly width: number } | undefined;

  constructor(private readonly columns: number) {}

  /** `isLong` means that the row has excess values that are not blank. */
  add(width: number, line: number, isLong: boolean): void {
    this.#count(width, 1);
    if (!isLong) return;
    this.#long++;
    this.#firstLong ??= { line, width };
  }

  /** Adds rows with one value per column. */
  addEven(rows: number): void {
    this.#count(this.columns, rows);
  }

  #count(width: number, rows: number): void {
    this.#counts.set(width, (this.#counts.get(width) ?? 0) + rows);
    this.#total += rows;
  }

  /** Throws `CsvError` WA-AF-011 if the rows form no readable table. */
  requireReadable(): void {
    const total = this.#total;
    if (this.#firstLong && this.#long > total * MAX_LONG_SHARE) {
      const { line, width } = this.#firstLong;
      throw new CsvError(
        'WA-AF-011',
        `The file has no readable table: ${this.#long} of ${total} rows have more values than the table has columns (${this.columns}). The first such row is in line ${line} and has ${width} values.`,
      );
    }
    const most = Math.max(0, ...this.#counts.values());
    if (most < total * MIN_EVEN_SHARE)
      throw new CsvError(
        'WA-AF-011',
        `The file has no readable table: at most ${most} of ${total} rows have the same number of values.`,
      );
  }
}
