import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunMeasures } from '../results/run-measures.js';
import { CheckError } from './check-error.js';
import { type InspectedColumn, InspectedColumns, type RowSource } from './inspected-columns.js';
import type { ContractExpectations, InspectedRows } from './inspection.js';
import { RowAggregates } from './row-aggregates.js';
import { RowIdentity } from './row-identity.js';

/**
 * State that the checks and series of a run share. The checks and series request their aggregates before `read`, which
 * computes all aggregates in one scan.
 */
export class CheckContext {
  readonly columns: InspectedColumns;
  readonly aggregates = new RowAggregates();
  readonly #identity: RowIdentity | undefined;

  constructor(
    readonly rows: InspectedRows,
    readonly expected: ContractExpectations,
    readonly previous: RunMeasures | undefined,
    readonly now: Date,
    readonly invalidPatterns: ReadonlySet<string>,
  ) {
    this.columns = new InspectedColumns(rows.schema, expected.sensitiveColumns);
    const hasKey = expected.primaryKey.length > 0;
    const key = expected.primaryKey.map((name) => this.columns.find(name));
    const columns = hasKey ? key.filter((column) => column !== undefined) : this.columns.all;
    if (columns.length >= Math.max(key.length, 1)) this.#identity = new RowIdentity(columns, hasKey);
  }

  /** Throws `CheckError` if the rows lack a column of the primary key, or have no columns. */
  get identity(): RowIdentity {
    if (!this.#identity) throw new CheckError('the rows do not have all columns of the primary key');
    return this.#identity;
  }

  /** The caller must call the returned function after `read`. */
  countNulls(column: InspectedColumn): () => number {
    const present = this.aggregates.countPresent(column);
    return () => this.rows.rows - (present() ?? 0);
  }

  get needsScan(): boolean {
    return !this.aggregates.isEmpty || (this.#identity?.isRequested ?? false);
  }

  /** If a check needs the exact number of duplicates, a second scan counts them. */
  async read(connection: DuckDBConnection, source: RowSource): Promise<void> {
    await this.aggregates.read(connection, source);
    await this.#identity?.read(connection, source);
  }
}
