import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { CheckFault } from './check-fault.js';
import type { InspectedColumn } from './inspected-columns.js';

/** Answers once the rows were read; undefined where there were none, or what is asked has no finite value. */
export type Answer = () => number | undefined;

/** All that is asked of the rows as a whole, so that they are read once. What is asked twice is computed once. */
export class RowAggregates {
  readonly #asked = new Map<string, number>();
  #answers: readonly DuckDBValue[] = [];

  get isEmpty(): boolean {
    return this.#asked.size === 0;
  }

  /** Values that are there. */
  present({ sql }: InspectedColumn): Answer {
    return this.#ask(`count(${sql})`);
  }

  /** Rows of which a condition is true. */
  where(condition: string): Answer {
    return this.#ask(`count(*) filter (where ${condition})`);
  }

  /** How many different values there are, give or take a few of a hundred. */
  distinct({ sql }: InspectedColumn): Answer {
    return this.#ask(`approx_count_distinct(${sql})`);
  }

  /** The highest finite value, of times in seconds since 1970. Throws `CheckFault` of a column of another kind. */
  highest({ kind, field, sql }: InspectedColumn): Answer {
    if (kind === 'time') return this.#ask(`epoch(max(${sql}))`);
    if (kind !== 'number') throw new CheckFault(`it is not made for columns of ${field.type}`);
    const finite = field.type === 'Double' ? ` filter (where isfinite(${sql}))` : '';
    return this.#ask(`cast(max(${sql})${finite} as DOUBLE)`);
  }

  /** Undefined of a column without numbers. Several threads add up in any order, so digits beyond the 15th are cut off. */
  mean({ kind, field, sql }: InspectedColumn): Answer {
    if (kind !== 'number') return () => undefined;
    // Decimals would be added up as integers of 128 bits, which may not hold the sum.
    const answer = this.#ask(field.type === 'Integer' ? `avg(${sql})` : `favg(cast(${sql} as DOUBLE))`);
    return () => {
      const mean = answer();
      return mean === undefined ? undefined : Number(mean.toPrecision(15));
    };
  }

  async read(connection: DuckDBConnection, source: string): Promise<void> {
    if (this.isEmpty) return;
    const result = await connection.runAndReadAll(`select ${[...this.#asked.keys()].join(', ')} from ${source}`);
    this.#answers = result.getRows()[0] ?? [];
  }

  #ask(sql: string): Answer {
    const place = this.#asked.get(sql) ?? this.#asked.size;
    this.#asked.set(sql, place);
    return () => {
      const value = this.#answers[place];
      const number = value === undefined || value === null ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : undefined;
    };
  }
}
