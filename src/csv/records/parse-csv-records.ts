import { CsvError } from '../model/csv-error.js';
import { MAX_COLUMNS, MAX_RECORD_CHARACTERS } from '../model/csv-limits.js';
import type { Dialect } from '../model/data-schema.js';
import { RecordScanner, type ScanError } from './record-scanner.js';

export interface CsvRecord {
  /** Number of the line at which the record starts, from 1. */
  readonly line: number;
  readonly values: string[];
  /** Set if blank lines or comments precede the record. */
  readonly isApart?: true;
}

const CSV_ERRORS: Record<ScanError, (line: number) => CsvError> = {
  'open quote': (line) =>
    new CsvError('WA-AF-009', `An opening quote in the record at line ${line} has no closing quote.`),
  'too wide': (line) =>
    new CsvError(
      'WA-AF-008',
      `The record at line ${line} has more than the maximum of ${MAX_COLUMNS.toLocaleString('en')} values.`,
    ),
  'too long': (line) =>
    new CsvError(
      'WA-AF-010',
      `The record at line ${line} has more than the maximum of ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters.`,
    ),
};

/**
 * Parses the records of a text, including the header, after the first `skipLines` lines. Ignores blank lines and
 * comments. If the text is not the whole file, ignores the incomplete record at the end. Stops before line
 * `nextTableLine` of the dialect. Throws `CsvError`: WA-AF-008 for more than 4,096 values, WA-AF-009 for an unclosed
 * quote, WA-AF-010 for a record of more than 1,048,576 characters.
 */
export function* parseCsvRecords(
  text: string,
  dialect: Omit<Dialect, 'encoding' | 'header'>,
  { isWhole }: { isWhole: boolean },
): Generator<CsvRecord, void, undefined> {
  const scanner = new RecordScanner(
    text,
    dialect,
    isWhole,
    positionOfLine(text, dialect.skipLines),
    dialect.skipLines + 1,
  );
  const { nextTableLine = Infinity } = dialect;
  for (let expected = scanner.nextLine, values = scanner.next(); values; values = scanner.next()) {
    const { line } = scanner;
    if (line >= nextTableLine) return;
    yield line > expected ? { line, values, isApart: true } : { line, values };
    expected = scanner.nextLine;
  }
  requireNoError(scanner);
}

/** Throws a `CsvError` if the scanner has stopped because of an error. */
export function requireNoError({ error, line }: RecordScanner): void {
  if (error) throw CSV_ERRORS[error](line);
}

/** Returns the start of the line after the first `lines` lines, or the end of the text if it has fewer lines. */
export function positionOfLine(text: string, lines: number): number {
  const lineEnd = /\r\n|\r|\n/g;
  for (let passed = 0; passed < lines; passed++) if (!lineEnd.test(text)) return text.length;
  return lineEnd.lastIndex;
}

export function countLineEnds(text: string, end: number): number {
  return text.slice(0, end).match(/\r\n|\r|\n/g)?.length ?? 0;
}
