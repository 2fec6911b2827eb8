export interface TableStructure {
  /** Includes `paddedRows`, but not `longRows`. */
  readonly rows: number;
  /** Number of rows with fewer values than columns. The service treats the missing values as empty. */
  readonly paddedRows: number;
  /** Number of rows with more values than columns. A publication rejects these rows. */
  readonly longRows: number;
  readonly repeatedHeaders: number;
  /** Number of remarks and empty records below the table. */
  readonly remarks: number;
  /** Number of records below the table that belong to another table, including its header. */
  readonly otherTableRows: number;
  readonly skippedLines: number;
  /** Number of columns at the end that have no title and no value. */
  readonly droppedColumns: number;
  /**
   * Sentences about padded rows, rows with too many values, repeated headers, remarks and another table. These
   * sentences contain line numbers. Further sentences describe skipped lines, dropped columns and an uncertain
   * encoding.
   */
  readonly evidence: readonly string[];
}
