import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { CheckError } from './check-error.js';
import type { InspectedColumn, RowSource } from './inspected-columns.js';

/** The caller must scan the rows first. Returns undefined if there were no rows or the value is not finite. */
export type DeferredNumber = () => number | undefined;

/** Collects aggregates, so that one scan computes all of them. Equal requests share a result. */
export class RowAggregates {
  readonly #requested = new Map<string, number>();
  readonly #columns = new Set<InspectedColumn>();
  #results: readonly DuckDBValue[] = [];

  get isEmpty(): boolean {
    return this.#requested.size === 0;
  }

  countPresent(column: InspectedColumn): DeferredNumber {
    return this.#request(`count(${column.sql})`, [column]);
  }

  countWhere(condition: string, columns: readonly InspectedColumn[]): DeferredNumber {
    return this.#request(`count(*) filter (where ${condition})`, columns);
  }

  /** The estimate is accurate to a few percent. */
  approximateDistinct(column: InspectedColumn): DeferredNumber {
    return this.#request(`approx_count_distinct(${column.sql})`, [column]);
  }

  /**
   * Returns the highest finite value. Times are in seconds since 1970. Throws `CheckError` if the column contains
   * neither numbers nor times.
   */
  maxValue(column: InspectedColumn): DeferredNumber {
    const { kind, field, sql } = column;
    if (kind === 'time') return this.#request(`epoch(max(${sql}))`, [column]);
    if (kind !== 'number') throw new CheckError(`the check does not support columns of type ${field.type}`);
    return this.#request(`cast(max(${sql})${finiteFilterSql(column)} as DOUBLE)`, [column]);
  }

  /**
   * Returns the mean of the finite values, or undefined for a column that is not numeric. Rounds to 15 digits, because
   * parallel threads add in varying order.
   */
  mean(column: InspectedColumn): DeferredNumber {
    const { kind, field, sql } = column;
    if (kind !== 'number') return () => undefined;
    // DuckDB adds Decimals as 128-bit integers, which can overflow.
    const mean = field.type === 'Integer' ? `avg(${sql})` : `favg(cast(${sql} as DOUBLE))${finiteFilterSql(column)}`;
    const read = this.#request(mean, [column]);
    return () => {
      const value = read();
      return value === undefined ? undefined : Number(value.toPrecision(15));
    };
  }

  async read(connection: DuckDBConnection, source: RowSource): Promise<void> {
    if (this.isEmpty) return;
    const rows = source(this.#columns);
    const result = await connection.runAndReadAll(`select ${[...this.#requested.keys()].join(', ')} from ${rows}`);
    this.#results = result.getRows()[0] ?? [];
  }

  #request(sql: string, columns: readonly InspectedColumn[]): DeferredNumber {
    for (const column of columns) this.#columns.add(column);
    const position = this.#requested.get(sql) ?? this.#requested.size;
    this.#requested.set(sql, position);
    return () => {
      const value = this.#results[position];
      const number = value === undefined || value === null ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : undefined;
    };
  }
}

function finiteFilterSql({ field, sql }: InspectedColumn): string {
  return field.type === 'Double' ? ` filter (where isfinite(${sql}))` : '';
}
