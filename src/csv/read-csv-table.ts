import { isAscii } from 'node:buffer';
import { sniffDialect } from './dialect/sniff-dialect.js';
import { decodeText, emptyFileError } from './encoding/decode-text.js';
import { type DetectedEncoding, describeEncoding, detectEncoding } from './encoding/detect-encoding.js';
import { alignTitles, modalWidth } from './header/align-titles.js';
import { type ColumnName, nameColumns } from './header/name-columns.js';
import { CsvError } from './model/csv-error.js';
import { HEAD_BYTES, MAX_HEAD_BYTES } from './model/csv-limits.js';
import type { Dialect } from './model/data-schema.js';
import { type CsvRecord, parseCsvRecords } from './records/parse-csv-records.js';

/** A file, or its beginning, as a table. */
export interface CsvTable {
  readonly dialect: Dialect;
  /** As many columns as most rows have values. */
  readonly columns: readonly ColumnName[];
  /** Rows after the header. Can be iterated repeatedly; throws like `parseCsvRecords`. */
  readonly records: Iterable<CsvRecord>;
}

/** Number of rows that determine the number of columns. */
const MAX_COMPARED_ROWS = 200;

/**
 * Reads the beginning of a file as a table. The first 256 KiB determine the dialect, so that more bytes do not change
 * it. If they contain no complete row, the first 4.25 MiB determine it. Returns 'more' if these bytes are needed but
 * not passed. Throws `CsvError`.
 */
export function readCsvTable(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): CsvTable | 'more' {
  if (isWhole && bytes.length === 0) throw emptyFileError();
  for (const size of [HEAD_BYTES, MAX_HEAD_BYTES]) {
    const head = analyzeHead(bytes.subarray(0, size), { isWhole: isWhole && bytes.length <= size });
    if (head) return tableOf(bytes, head, { isWhole });
    if (!isWhole && bytes.length < MAX_HEAD_BYTES) return 'more';
  }
  throw emptyFileError();
}

interface AnalyzedHead {
  readonly size: number;
  readonly detected: DetectedEncoding;
  readonly text: string;
  readonly dialect: Dialect;
  readonly columns: readonly ColumnName[];
}

/** Undefined if the head contains no complete record, or only the header although more of the file can be read. */
function analyzeHead(head: Uint8Array, { isWhole }: { isWhole: boolean }): AnalyzedHead | undefined {
  const detected = detectEncoding(head, { isWhole });
  const text = decodeText(head, detected, { isWhole });
  const dialect = { ...sniffDialect(text, { encoding: detected.encoding, isWhole }), ...describeEncoding(detected) };
  const rows: string[][] = [];
  for (const { values } of parseCsvRecords(text, dialect, { isWhole })) {
    rows.push(values);
    if (rows.length > MAX_COMPARED_ROWS) break;
  }
  const isHeaderAlone = dialect.header && rows.length === 1 && !isWhole && head.length < MAX_HEAD_BYTES;
  if (rows.length === 0 || isHeaderAlone) return undefined;
  return { size: head.length, detected, text, dialect, columns: columnsOf(rows, dialect.header) };
}

function columnsOf([first = [], ...rest]: readonly string[][], header: boolean): ColumnName[] {
  if ([first, ...rest].every((row) => row.every((value) => value.trim() === '')))
    throw new CsvError('WA-AF-006', 'The header has no column names, and the rows below it have no values.');
  if (!header) return nameColumns(undefined, modalWidth([first, ...rest]));
  const titles = alignTitles(first, rest);
  return nameColumns(titles, titles.length);
}

function tableOf(
  bytes: Uint8Array,
  { size, detected, text, dialect, columns }: AnalyzedHead,
  { isWhole }: { isWhole: boolean },
): CsvTable {
  if (bytes.length === size) return { dialect, columns, records: rowsOf(text, dialect, { isWhole }) };
  // If the head is plain ASCII, the rest decides which extension of ASCII the file uses.
  const all = isAscii(bytes.subarray(0, size)) ? detectEncoding(bytes, { isWhole }) : detected;
  const records = rowsOf(decodeText(bytes, all, { isWhole }), dialect, { isWhole });
  return { dialect: { ...dialect, ...describeEncoding(all) }, columns, records };
}

function rowsOf(text: string, dialect: Dialect, { isWhole }: { isWhole: boolean }): Iterable<CsvRecord> {
  return {
    [Symbol.iterator]() {
      const records = parseCsvRecords(text, dialect, { isWhole });
      if (dialect.header) records.next();
      return records;
    },
  };
}
