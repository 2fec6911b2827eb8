import { AppError } from '../errors.js';

/**
 * Maximum number of rows that one request may read. Repeated reads of a row count again. The limit protects the service
 * from deeply nested queries.
 */
const MAX_ROWS = 50_000;

/** Additional rows per item of a complete list. */
const ROWS_PER_ITEM = 100;

/** Number of characters that cost as much as a row. Some rows contain whole documents. */
const CHARACTERS_PER_ROW = 1_024;

/** Cost of a statement in rows, in addition to the rows that it returns. */
const STATEMENT_COST_ROWS = 50;

/** The remaining number of rows that one request may read. */
export class RowBudget {
  #most = MAX_ROWS;
  #charged = 0;
  #mostItems = 0;
  /** All fields that exceed the budget throw the same error. */
  #exceeded: AppError | undefined;

  /** Number of remaining rows. */
  get left(): number {
    return this.#most - this.#charged;
  }

  /** Subtracts `rows` from the budget. Throws BAD_REQUEST if the budget is exceeded. */
  charge(rows: number): void {
    this.#charged += rows;
    if (this.left < 0)
      throw (this.#exceeded ??= new AppError(
        'BAD_REQUEST',
        `The query reads more rows than the limit of ${this.#most.toLocaleString('en')}. Select fewer fields, or request smaller pages.`,
      ));
  }

  chargeStatement(): void {
    this.charge(STATEMENT_COST_ROWS);
  }

  /** Charges rows in PostgreSQL's text format. */
  chargeRead(rows: readonly (string | null)[][]): void {
    this.charge(
      costOf(
        rows.length,
        rows.reduce((sum, row) => sum + charactersOf(row), 0),
      ),
    );
  }

  /** Charges rows whose columns are JSON arrays. */
  chargeArrays(rows: number, arrays: readonly (string | null)[]): void {
    this.charge(costOf(rows, charactersOf(arrays)));
  }

  /** Like `chargeArrays`. If the rows exceed the budget, returns false and charges nothing. */
  admitsArrays(rows: number, arrays: readonly (string | null)[]): boolean {
    if (costOf(rows, charactersOf(arrays)) > this.left) return false;
    this.chargeArrays(rows, arrays);
    return true;
  }

  /**
   * Raises the budget for a complete list. Repeated lists do not raise the budget further, because only the longest
   * list counts.
   */
  raiseFor(items: number): void {
    this.#most += Math.max(0, items - this.#mostItems) * ROWS_PER_ITEM;
    this.#mostItems = Math.max(this.#mostItems, items);
  }
}

function costOf(rows: number, characters: number): number {
  return rows + Math.floor(characters / CHARACTERS_PER_ROW);
}

function charactersOf(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
