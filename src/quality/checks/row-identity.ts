import type { DuckDBConnection } from '@duckdb/node-api';
import type { InspectedColumn, RowSource } from './inspected-columns.js';
import type { DeferredNumber, RowAggregates } from './row-aggregates.js';

/** What tells rows from each other: their primary key, or all of their columns where there is none. Rows without a part of their key are nobody's twins. */
export class RowIdentity {
  /** SQL of rows that have all of it. */
  readonly complete: string | undefined;
  #isAsked = false;
  #distinct = 0;

  constructor(
    readonly columns: readonly InspectedColumn[],
    isKey: boolean,
  ) {
    this.complete = isKey ? columns.map(({ sql }) => `${sql} is not null`).join(' and ') : undefined;
  }

  get isRequested(): boolean {
    return this.#isAsked;
  }

  /** Rows beyond the first of their kind, exactly. */
  countDuplicates(aggregates: RowAggregates, rows: number): DeferredNumber {
    this.#isAsked = true;
    const complete = this.countComplete(aggregates, rows);
    return () => (complete() ?? 0) - this.#distinct;
  }

  countComplete(aggregates: RowAggregates, rows: number): DeferredNumber {
    return this.complete === undefined ? () => rows : aggregates.countWhere(this.complete, this.columns);
  }

  /** Grouping goes to the disk where there is more than fits into memory; `count(distinct ...)` does not. */
  async read(connection: DuckDBConnection, source: RowSource): Promise<void> {
    if (!this.#isAsked) return;
    const result = await connection.runAndReadAll(
      `select count(*) from (select distinct ${this.columnListSql} from ${source(this.columns)} where ${this.complete ?? 'true'})`,
    );
    this.#distinct = Number(result.value(0, 0));
  }

  get columnListSql(): string {
    return this.columns.map(({ sql }) => sql).join(', ');
  }
}
