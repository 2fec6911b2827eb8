export interface TableStructure {
  /** Number of rows, including padded rows. */
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
   * One sentence for each kind of record that was padded or omitted, with line numbers, and for skipped lines and
   * dropped columns. One more sentence if the encoding is a guess.
   */
  readonly evidence: readonly string[];
}
