import { AppError } from '../errors.js';

/** Protects the service from deeply nested queries. If a request reads a row again, the row counts again. */
const MAX_ROWS = 50_000;

/** A list without `limit` raises the budget by this number of rows per item. */
const ROWS_PER_ITEM = 100;

/** This number of characters costs as much as a row, because some rows contain whole documents. */
const CHARACTERS_PER_ROW = 1_024;

/** A statement costs this number of rows in addition to the rows that it returns. */
const STATEMENT_COST_ROWS = 50;

export class RowBudget {
  #most = MAX_ROWS;
  #charged = 0;
  #mostItems = 0;
  /** All fields that exceed the budget throw the same error. */
  #exceeded: AppError | undefined;

  get left(): number {
    return this.#most - this.#charged;
  }

  /** Throws BAD_REQUEST if the rows exceed the budget. */
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

  /** Charges the budget for rows that PostgreSQL returned in its text format. */
  chargeRead(rows: readonly (string | null)[][]): void {
    this.charge(
      costOf(
        rows.length,
        rows.reduce((sum, row) => sum + charactersOf(row), 0),
      ),
    );
  }

  /** Charges the budget for rows whose columns are JSON arrays. */
  chargeArrays(rows: number, arrays: readonly (string | null)[]): void {
    this.charge(costOf(rows, charactersOf(arrays)));
  }

  /** Like `chargeArrays`, but returns false and charges nothing if the rows exceed the budget. */
  admitsArrays(rows: number, arrays: readonly (string | null)[]): boolean {
    if (costOf(rows, charactersOf(arrays)) > this.left) return false;
    this.chargeArrays(rows, arrays);
    return true;
  }

  /**
   * Raises the budget for a list that a request reads without `limit`. Only the longest list of a request counts, so
   * repeated lists do not raise the budget further.
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
