import { CsvError } from '../model/csv-error.js';
import { MAX_COLUMNS, MAX_RECORD_CHARACTERS } from '../model/csv-limits.js';
import type { Dialect } from '../model/data-schema.js';
import { RecordScanner, type ScanError } from './record-scanner.js';

export interface CsvRecord {
  /** Line of the file, from 1, where it starts. */
  readonly line: number;
  readonly values: string[];
}

const CSV_ERRORS: Record<ScanError, (line: number) => CsvError> = {
  'open quote': (line) =>
    new CsvError('WA-AF-009', `A quote that opens in the record of line ${line} is never closed.`),
  'too wide': (line) =>
    new CsvError('WA-AF-008', `The record of line ${line} has more than ${MAX_COLUMNS.toLocaleString('en')} values.`),
  'too long': (line) =>
    new CsvError(
      'WA-AF-010',
      `The record of line ${line} has more than ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters.`,
    ),
};

/**
 * The records of a text behind `skipLines`, the header among them, in order; blank lines and comments are left out, and so is what the end of a
 * text that is not whole cuts off. Throws CsvFault: 008 over 4,096 values, 009 for a quote that is never closed, 010 for a record over 1 MiB.
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
  for (let values = scanner.next(); values; values = scanner.next()) yield { line: scanner.line, values };
  if (scanner.error) throw CSV_ERRORS[scanner.error](scanner.line);
}

/** Where the line behind the first `lines` begins; the end of the text where there are not as many. */
export function positionOfLine(text: string, lines: number): number {
  const lineEnd = /\r\n|\r|\n/g;
  for (let passed = 0; passed < lines; passed++) if (!lineEnd.test(text)) return text.length;
  return lineEnd.lastIndex;
}
