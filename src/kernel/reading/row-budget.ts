import { AppError } from '../errors.js';

/** Rows that one request may read, repeated reads included, so that a nested query ends with an error, not an outage. */
const MAX_ROWS = 50_000;

/** Further rows for each item of a complete list. */
const ROWS_PER_ITEM = 100;

/** Characters that count for a row: some rows hold whole documents. */
const CHARACTERS_PER_ROW = 1_024;

/** A statement costs this many rows, and its rows. */
const STATEMENT_COST_ROWS = 50;

/** The rows that one request may still read. */
export class RowBudget {
  #most = MAX_ROWS;
  #charged = 0;
  #mostItems = 0;
  /** One for all fields that meet it. */
  #exceeded: AppError | undefined;

  /** Rows that are left. */
  get left(): number {
    return this.#most - this.#charged;
  }

  /** Throws BAD_REQUEST if the budget is exceeded. */
  charge(rows: number): void {
    this.#charged += rows;
    if (this.left < 0)
      throw (this.#exceeded ??= new AppError('BAD_REQUEST', `The question reaches more than ${this.#most} rows.`));
  }

  chargeStatement(): void {
    this.charge(STATEMENT_COST_ROWS);
  }

  /** Rows as PostgreSQL writes them. */
  chargeRead(rows: readonly (string | null)[][]): void {
    const size = rows.reduce((sum, row) => row.reduce((size, value) => size + (value?.length ?? 0), sum), 0);
    this.charge(rows.length + Math.floor(size / CHARACTERS_PER_ROW));
  }

  /** Raises the budget for a complete list. Of several lists only the longest counts, so repeating one gains nothing. */
  raiseFor(items: number): void {
    this.#most += Math.max(0, items - this.#mostItems) * ROWS_PER_ITEM;
    this.#mostItems = Math.max(this.#mostItems, items);
  }
}
