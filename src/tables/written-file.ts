import type { TableFileKind } from './table-file.js';
import type { ProposedColumn } from './table-schema.js';

/** Smallest and largest `_record_key` of a file, in the order of UTF-8 bytes. Both are empty if no row has a key. */
export interface KeyRange {
  readonly first: string;
  /** Undefined if the range is unknown. The file can then contain any key. */
  readonly last: string | undefined;
}

/** A file of a table in the file store. A new file becomes part of the table with `commitTableFiles`. */
export interface WrittenFile {
  readonly id: string;
  readonly kind: TableFileKind;
  readonly rows: number;
  readonly bytes: number;
  /** Times at which the service received the oldest and the newest row. */
  readonly firstReceivedAt: Date;
  readonly lastReceivedAt: Date;
  /** Undefined if the file lacks the columns `RECORD_COLUMNS`. */
  readonly keys?: KeyRange | undefined;
  /** Columns that the held records of the file need. */
  readonly proposedColumns?: readonly ProposedColumn[] | undefined;
}
