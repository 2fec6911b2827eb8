import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { isHeaderRow } from './detect-header.js';

/** Records from the start of a text among which the table begins. */
const MAX_SCANNED_RECORDS = 200;

export interface TablePosition {
  readonly skipLines: number;
  readonly header: boolean;
}

/** A record, as far as it tells where a table is. */
export interface ScannedRecord {
  readonly values: readonly string[];
  readonly line: number;
  /** How many of the values are not empty. */
  readonly filled: number;
  /** Whether blank lines or comments stand between this record and the one before. */
  readonly isApart: boolean;
}

/** Where the table begins in a text that is cut by known rules, `width` values in most records: behind titles and remarks above it. */
export function locateTable(
  text: string,
  rules: RecordSyntax,
  { width, isWhole }: { width: number; isWhole: boolean },
): TablePosition {
  const rows = scanRecords(new RecordScanner(text, rules, isWhole), MAX_SCANNED_RECORDS);
  const start = startOfTable(rows, width);
  const place = (first: number, header: boolean) => ({
    skipLines: first === 0 ? 0 : (rows[first]?.line ?? 1) - 1,
    header,
  });
  const last = lastOfEqual(rows, start);
  if (isHeaderAt(rows, last, width)) return place(last, true);
  return isEmptyHeader(rows[start - 1], width) ? place(start - 1, true) : place(start, false);
}

/** The first records, `most` of them. */
export function scanRecords(scanner: RecordScanner, most: number): ScannedRecord[] {
  const rows: ScannedRecord[] = [];
  let expectedLine = 1;
  for (let values = scanner.next(); values && rows.length < most; values = scanner.next()) {
    const filled = values.filter((value) => value.trim() !== '').length;
    rows.push({ values, line: scanner.line, filled, isApart: scanner.line > expectedLine });
    expectedLine = scanner.nextLine;
  }
  return rows;
}

/** Where the first record of the usual width is, or a ragged one above it that belongs to the table. */
function startOfTable(rows: readonly ScannedRecord[], width: number): number {
  if (width === 1) return 0;
  const usuallyFilled = medianFilled(rows.filter(({ values }) => values.length === width));
  const isOwn = (row: ScannedRecord) => row.values.length === width && !isSparse(row, usuallyFilled);
  let start = Math.max(rows.findIndex(isOwn), 0);
  for (let row = rows[start - 1]; row && belongsTo(row, rows[start], width); row = rows[start - 1]) start--;
  return start;
}

/** A ragged record that is cut into most of the values, with nothing between it and the table. */
function belongsTo(row: ScannedRecord, below: ScannedRecord | undefined, width: number): boolean {
  const { length } = row.values;
  return length !== width && length > 1 && length > width / 2 && !below?.isApart;
}

/** A title or a remark that was padded to the width of the table. */
function isSparse(row: ScannedRecord, usuallyFilled: number): boolean {
  return row.filled <= 1 && usuallyFilled >= 3;
}

function medianFilled(rows: readonly ScannedRecord[]): number {
  const filled = rows.map((row) => row.filled).sort((a, b) => a - b);
  return filled[Math.floor(filled.length / 2)] ?? 0;
}

/** Remarks below the table are not compared with its header. */
function isHeaderAt(rows: readonly ScannedRecord[], start: number, width: number): boolean {
  const first = rows[start];
  if (!first) return false;
  const behind = rows.slice(start + 1).map(({ values }) => values);
  return isHeaderRow(
    first.values,
    behind.filter(({ length }) => length === width),
  );
}

function isEmptyHeader(row: ScannedRecord | undefined, width: number): boolean {
  return row !== undefined && row.filled === 0 && row.values.length === width;
}

/** A header that is written more than once is one header; what has nothing else behind it is none. */
function lastOfEqual(rows: readonly ScannedRecord[], start: number): number {
  let last = start;
  while (areEqual(rows[last], rows[last + 1])) last++;
  return last < rows.length - 1 ? last : start;
}

function areEqual(row: ScannedRecord | undefined, next: ScannedRecord | undefined): boolean {
  return (
    next !== undefined &&
    row?.values.length === next.values.length &&
    row.values.every((value, index) => value === next.values[index])
  );
}
