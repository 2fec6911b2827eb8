import type { DuckDb } from '../../tables/duckdb.js';
import type { LocalFileCache, StoredFile } from '../../tables/local-file-cache.js';
import type { MissingRecords } from '../../tables/table-hooks.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { TableContract } from '../contracts/table-contract.js';
import type { RunMeasures } from '../results/run-measures.js';
import type { CheckResult } from '../results/table-quality-result.js';
import type { SeriesValue } from '../spc/series-value.js';

export interface InspectionServices {
  readonly duckdb: DuckDb;
  readonly localFiles: LocalFileCache;
}

export interface InspectedRows {
  /** Without files of rejects. */
  readonly files: readonly StoredFile[];
  readonly schema: TableSchema;
  /** Whether each row is a change of a record. If so, readers must merge the rows. */
  readonly areChanges?: boolean;
  readonly rows: number;
  readonly rejectedRows: number;
  /** Time at which the service received the latest row. Undefined without rows. */
  readonly lastReceivedAt?: Date | undefined;
  /** Undefined if the service only adds rows. */
  readonly replaced?: { readonly files: readonly StoredFile[]; readonly rows: number } | undefined;
  readonly missingRecords?: MissingRecords | undefined;
}

export interface PreviousRun {
  readonly measures?: RunMeasures | undefined;
  readonly checks: readonly CheckResult[];
}

export type ContractExpectations = Pick<
  TableContract,
  'schema' | 'allowsNewColumns' | 'primaryKey' | 'timestampColumn' | 'sensitiveColumns' | 'series' | 'rules'
>;

export interface InspectionTask {
  readonly rows: InspectedRows;
  readonly expected: ContractExpectations;
  readonly previous: PreviousRun | undefined;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface Inspection {
  /** In the order of the rules. */
  readonly checks: readonly CheckResult[];
  /** By series key. Omits series without a value. */
  readonly values: ReadonlyMap<string, SeriesValue>;
  readonly measures: RunMeasures;
}
