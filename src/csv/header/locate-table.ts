import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { isHeaderRow, isRemarkAbove, isTitledRow } from './detect-header.js';

const MAX_SCANNED_RECORDS = 200;

export interface TablePosition {
  readonly skipLines: number;
  readonly header: boolean;
}

export interface ScannedRecord {
  readonly values: readonly string[];
  readonly line: number;
  /** Number of non-empty values. */
  readonly filled: number;
  /** Whether blank lines or comments precede this record. */
  readonly isApart: boolean;
}

/** Finds the start of the table below titles and remarks. `width` is the number of values in most records. */
export function locateTable(
  text: string,
  syntax: RecordSyntax,
  { width, isWhole }: { width: number; isWhole: boolean },
): TablePosition {
  const rows = scanRecords(new RecordScanner(text, syntax, isWhole), MAX_SCANNED_RECORDS);
  const start = startOfTable(rows, width);
  const positionAt = (first: number, header: boolean) => ({
    skipLines: first === 0 ? 0 : (rows[first]?.line ?? 1) - 1,
    header,
  });
  const last = lastOfEqual(rows, start);
  if (isHeaderAt(rows, last, width)) return positionAt(last, true);
  return isEmptyHeader(rows[start - 1], width) ? positionAt(start - 1, true) : positionAt(start, false);
}

export function scanRecords(scanner: RecordScanner, maxRecords: number): ScannedRecord[] {
  const rows: ScannedRecord[] = [];
  let expectedLine = 1;
  for (let values = scanner.next(); values && rows.length < maxRecords; values = scanner.next()) {
    const filled = values.filter((value) => value.trim() !== '').length;
    rows.push({ values, line: scanner.line, filled, isApart: scanner.line > expectedLine });
    expectedLine = scanner.nextLine;
  }
  return rows;
}

/**
 * Returns the index of the first record that has `width` values and is not a remark. If that record is not clearly the
 * header, the table may start with records of another width directly above it.
 */
function startOfTable(rows: readonly ScannedRecord[], width: number): number {
  if (width === 1) return 0;
  const even = (from: number) => rows.slice(from).flatMap(({ values }) => (values.length === width ? [values] : []));
  const usuallyFilled = medianFilled(rows.filter(({ values }) => values.length === width));
  const isOwn = (row: ScannedRecord) => row.values.length === width && !isSparse(row, usuallyFilled);
  let start = Math.max(rows.findIndex(isOwn), 0);
  const [first, next, ...others] = even(start);
  if (first && next && others.length > 0 && isRemarkAbove(next, first, others))
    start = rows.findIndex(({ values }) => values === next);
  if (isTitledRow(rows[start]?.values ?? [], even(start + 1))) return start;
  for (let row = rows[start - 1]; row && belongsTo(row, rows[start], width); row = rows[start - 1]) {
    start--;
    if (isTitledRow(row.values.slice(0, width), withoutEqual(even(start + 1), row.values))) break;
  }
  return start;
}

/** `row` is directly above the table. Returns whether it belongs to the table despite its different width. */
function belongsTo(row: ScannedRecord, below: ScannedRecord | undefined, width: number): boolean {
  const { length } = row.values;
  return length !== width && length > 1 && length > width / 2 && !below?.isApart;
}

/** A title or remark may be followed by empty values up to the width of the table. */
function isSparse(row: ScannedRecord, usuallyFilled: number): boolean {
  return row.filled <= 1 && usuallyFilled >= 3;
}

function medianFilled(rows: readonly ScannedRecord[]): number {
  const filled = rows.map((row) => row.filled).sort((a, b) => a - b);
  return filled[Math.floor(filled.length / 2)] ?? 0;
}

/** Compares the possible header only with rows of the table's width. Other rows may be remarks below the table. */
function isHeaderAt(rows: readonly ScannedRecord[], start: number, width: number): boolean {
  const first = rows[start];
  if (!first) return false;
  const below = rows.slice(start + 1).flatMap(({ values }) => (values.length === width ? [values] : []));
  return (
    isHeaderRow(first.values, below) || isTitledRow(first.values.slice(0, width), withoutEqual(below, first.values))
  );
}

function withoutEqual(rows: readonly (readonly string[])[], header: readonly string[]): (readonly string[])[] {
  return rows.filter((values) => values.some((value, index) => value !== header[index]));
}

function isEmptyHeader(row: ScannedRecord | undefined, width: number): boolean {
  return row !== undefined && row.filled === 0 && row.values.length === width;
}

/**
 * Returns the index of the last consecutive record that equals the header at `start`. If no different record follows,
 * the repetitions are rows, and the function returns `start`.
 */
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
