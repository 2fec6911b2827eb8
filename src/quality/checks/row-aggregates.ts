import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { CheckError } from './check-error.js';
import type { InspectedColumn, RowSource } from './inspected-columns.js';

/** Answers once the rows were read; undefined where there were none, or what is asked has no finite value. */
export type DeferredNumber = () => number | undefined;

/** All that is asked of the rows as a whole, so that they are read once. What is asked twice is computed once. */
export class RowAggregates {
  readonly #asked = new Map<string, number>();
  readonly #columns = new Set<InspectedColumn>();
  #answers: readonly DuckDBValue[] = [];

  get isEmpty(): boolean {
    return this.#asked.size === 0;
  }

  /** Values that are there. */
  countPresent(column: InspectedColumn): DeferredNumber {
    return this.#ask(`count(${column.sql})`, [column]);
  }

  /** Rows of which a condition on these columns is true. */
  countWhere(condition: string, columns: readonly InspectedColumn[]): DeferredNumber {
    return this.#ask(`count(*) filter (where ${condition})`, columns);
  }

  /** How many different values there are, give or take a few of a hundred. */
  approximateDistinct(column: InspectedColumn): DeferredNumber {
    return this.#ask(`approx_count_distinct(${column.sql})`, [column]);
  }

  /** The highest finite value, of times in seconds since 1970. Throws `CheckError` of a column of another kind. */
  maxValue(column: InspectedColumn): DeferredNumber {
    const { kind, field, sql } = column;
    if (kind === 'time') return this.#ask(`epoch(max(${sql}))`, [column]);
    if (kind !== 'number') throw new CheckError(`it is not made for columns of ${field.type}`);
    return this.#ask(`cast(max(${sql})${finiteFilterSql(column)} as DOUBLE)`, [column]);
  }

  /** Of the finite values; undefined of a column without numbers. Several threads add up in any order, so digits beyond the 15th are cut off. */
  mean(column: InspectedColumn): DeferredNumber {
    const { kind, field, sql } = column;
    if (kind !== 'number') return () => undefined;
    // Decimals would be added up as integers of 128 bits, which may not hold the sum.
    const mean = field.type === 'Integer' ? `avg(${sql})` : `favg(cast(${sql} as DOUBLE))${finiteFilterSql(column)}`;
    const answer = this.#ask(mean, [column]);
    return () => {
      const value = answer();
      return value === undefined ? undefined : Number(value.toPrecision(15));
    };
  }

  async read(connection: DuckDBConnection, source: RowSource): Promise<void> {
    if (this.isEmpty) return;
    const rows = source(this.#columns);
    const result = await connection.runAndReadAll(`select ${[...this.#asked.keys()].join(', ')} from ${rows}`);
    this.#answers = result.getRows()[0] ?? [];
  }

  #ask(sql: string, columns: readonly InspectedColumn[]): DeferredNumber {
    for (const column of columns) this.#columns.add(column);
    const place = this.#asked.get(sql) ?? this.#asked.size;
    this.#asked.set(sql, place);
    return () => {
      const value = this.#answers[place];
      const number = value === undefined || value === null ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : undefined;
    };
  }
}

/** A Double may be no number, or infinite. */
function finiteFilterSql({ field, sql }: InspectedColumn): string {
  return field.type === 'Double' ? ` filter (where isfinite(${sql}))` : '';
}
