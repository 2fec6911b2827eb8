import { isAscii } from 'node:buffer';
import { sniffDialect } from './dialect/sniff-dialect.js';
import { decodeText, emptyFileError } from './encoding/decode-text.js';
import { type DetectedEncoding, describeEncoding, detectEncoding } from './encoding/detect-encoding.js';
import { findNextTable } from './find-next-table.js';
import { alignTitles, countEmptyColumns, modalWidth } from './header/align-titles.js';
import { type ColumnName, nameColumns } from './header/name-columns.js';
import { CsvError } from './model/csv-error.js';
import { HEAD_BYTES, MAX_HEAD_BYTES } from './model/csv-limits.js';
import type { Dialect } from './model/data-schema.js';
import { type CsvRecord, parseCsvRecords, positionOfLine } from './records/parse-csv-records.js';

export interface CsvTable {
  readonly dialect: Dialect;
  /**
   * Names of the columns, from the titles of the header. Without a header, the columns have generated names, and the
   * number of columns is the most common number of values per row.
   */
  readonly columns: readonly ColumnName[];
  /** Number of columns at the end that have no title and no value. `columns` omits them. */
  readonly droppedColumns: number;
  /** First non-blank line above the table. */
  readonly textAbove: string;
  /**
   * Rows after the header. Callers can iterate them repeatedly. The iteration throws the errors of `parseCsvRecords`.
   */
  readonly records: Iterable<CsvRecord>;
}

const MAX_COMPARED_ROWS = 1_000;

/**
 * Reads the beginning of a file as a table. The first 256 KiB determine the dialect, so that more bytes do not change
 * it. If the first 256 KiB contain no complete row, the first 4.25 MiB determine the dialect. Returns `more` if the
 * dialect requires 4.25 MiB, but `bytes` contains less and is not the whole file. Throws `CsvError`.
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
  readonly columns: TableColumns;
}

type TableColumns = Pick<CsvTable, 'columns' | 'droppedColumns'>;

/**
 * Returns undefined if the head contains no complete record. Also returns undefined for a head with only the header, if
 * the caller can pass a longer head.
 */
function analyzeHead(head: Uint8Array, { isWhole }: { isWhole: boolean }): AnalyzedHead | undefined {
  const detected = detectEncoding(head, { isWhole });
  const text = decodeText(head, detected, { isWhole });
  const dialect = { ...sniffDialect(text, { encoding: detected.encoding, isWhole }), ...describeEncoding(detected) };
  const records: CsvRecord[] = [];
  for (const record of parseCsvRecords(text, dialect, { isWhole })) {
    records.push(record);
    if (records.length > MAX_COMPARED_ROWS) break;
  }
  const rows = rowsOfTable(records, dialect.header);
  const isHeaderAlone = dialect.header && rows.length === 1 && !isWhole && head.length < MAX_HEAD_BYTES;
  if (rows.length === 0 || isHeaderAlone) return undefined;
  return { size: head.length, detected, text, dialect, columns: columnsOf(rows, dialect.header) };
}

/** If another table follows the first table, omits that table and all later records. */
function rowsOfTable(records: readonly CsvRecord[], header: boolean): string[][] {
  const rows = records.map(({ values }) => values);
  const first = header ? 1 : 0;
  const titles = header ? (rows[0] ?? []) : Array.from({ length: modalWidth(rows) }, () => '');
  const next = findNextTable(
    records.slice(first),
    titles.map((name) => ({ name })),
    { hasHeader: header },
  );
  return next === undefined ? rows : rows.slice(0, first + next);
}

function columnsOf([first = [], ...rest]: readonly string[][], header: boolean): TableColumns {
  if ([first, ...rest].every((row) => row.every((value) => value.trim() === '')))
    throw new CsvError('WA-AF-006', 'The table has no column names and no values.');
  const rows = header ? rest : [first, ...rest];
  const aligned = header ? alignTitles(first, rest) : Array.from({ length: modalWidth(rows) }, () => '');
  const droppedColumns = rows.length === 0 ? 0 : countEmptyColumns(aligned, rows);
  const width = aligned.length - droppedColumns;
  const endsWithDelimiter = header && first.length > aligned.length && first.at(-1)?.trim() === '';
  return {
    columns: nameColumns(header ? aligned.slice(0, width) : undefined, width),
    droppedColumns: droppedColumns + (endsWithDelimiter ? 1 : 0),
  };
}

function tableOf(
  bytes: Uint8Array,
  { size, detected, text, dialect, columns }: AnalyzedHead,
  { isWhole }: { isWhole: boolean },
): CsvTable {
  const textAbove =
    text
      .slice(0, positionOfLine(text, dialect.skipLines))
      .trim()
      .split(/[\r\n]/, 1)[0] ?? '';
  const table = { ...columns, textAbove };
  if (bytes.length === size) return { ...table, dialect, records: rowsOf(text, dialect, { isWhole }) };
  // If the head is plain ASCII, the rest of the bytes determines which extension of ASCII the file uses.
  const all = isAscii(bytes.subarray(0, size)) ? detectEncoding(bytes, { isWhole }) : detected;
  const records = rowsOf(decodeText(bytes, all, { isWhole }), dialect, { isWhole });
  return { ...table, dialect: { ...dialect, ...describeEncoding(all) }, records };
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
