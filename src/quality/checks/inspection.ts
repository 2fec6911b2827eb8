import type { DuckDb } from '../../tables/duckdb.js';
import type { LocalFileCache, StoredFile } from '../../tables/local-file-cache.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { TableContract } from '../contracts/table-contract.js';
import type { RunMeasures } from '../results/run-measures.js';
import type { CheckResult } from '../results/table-quality-result.js';

/** Where rows are looked at. */
export interface InspectionServices {
  readonly duckdb: DuckDb;
  readonly localFiles: LocalFileCache;
}

/** The rows of a run, or of a table. */
export interface InspectedRows {
  /** Those with rows, not those with rejects. */
  readonly files: readonly StoredFile[];
  readonly schema: TableSchema;
  readonly rows: number;
  readonly rejectedRows: number;
  /** When the latest of them came in. */
  readonly lastReceivedAt?: Date | undefined;
}

/** What the run before has left behind. */
export interface PreviousRun {
  readonly measures?: RunMeasures | undefined;
  readonly checks: readonly CheckResult[];
}

/** What of a contract says what is looked at. */
export type ContractExpectations = Pick<
  TableContract,
  'schema' | 'allowsNewColumns' | 'primaryKey' | 'timestampColumn' | 'sensitiveColumns' | 'series' | 'rules'
>;

/** What is looked at, by what is expected. */
export interface InspectionTask {
  readonly rows: InspectedRows;
  readonly expected: ContractExpectations;
  readonly previous: PreviousRun | undefined;
  readonly now: Date;
  /** Of whoever waits for it. */
  readonly signal: AbortSignal;
}

export interface Inspection {
  /** One for each rule, in their order. */
  readonly checks: readonly CheckResult[];
  /** By key of the series; those that have a value. */
  readonly values: ReadonlyMap<string, number>;
  readonly measures: RunMeasures;
}
