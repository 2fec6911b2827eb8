import type { DuckDBConnection } from '@duckdb/node-api';
import type { InspectedColumn, RowSource } from './inspected-columns.js';
import type { DeferredNumber, RowAggregates } from './row-aggregates.js';

/**
 * Identifies rows by their primary key, or by all columns if the contract has no key. A row with a null in its key
 * never counts as a duplicate.
 */
export class RowIdentity {
  /** Condition for rows without nulls in their key. Undefined without a key. */
  readonly complete: string | undefined;
  #isRequested = false;
  #distinct = 0;

  constructor(
    readonly columns: readonly InspectedColumn[],
    isKey: boolean,
  ) {
    this.complete = isKey ? columns.map(({ sql }) => `${sql} is not null`).join(' and ') : undefined;
  }

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Returns the exact number of rows that repeat an earlier row. */
  countDuplicates(aggregates: RowAggregates, rows: number): DeferredNumber {
    this.#isRequested = true;
    const complete = this.countComplete(aggregates, rows);
    return () => (complete() ?? 0) - this.#distinct;
  }

  countComplete(aggregates: RowAggregates, rows: number): DeferredNumber {
    return this.complete === undefined ? () => rows : aggregates.countWhere(this.complete, this.columns);
  }

  /** Uses `select distinct`, because `count(distinct ...)` does not write to disk if memory is short. */
  async read(connection: DuckDBConnection, source: RowSource): Promise<void> {
    if (!this.#isRequested) return;
    const result = await connection.runAndReadAll(
      `select count(*) from (select distinct ${this.columnListSql} from ${source(this.columns)} where ${this.complete ?? 'true'})`,
    );
    this.#distinct = Number(result.value(0, 0));
  }

  get columnListSql(): string {
    return this.columns.map(({ sql }) => sql).join(', ');
  }
}
