import { CsvError } from '../../csv/model/csv-error.js';
import { parseCsvRecords } from '../../csv/records/parse-csv-records.js';
import type { VendorRecord } from '../tap-page.js';
import { failureOf } from './failure-table.js';

/** In order of preference. */
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTED = /"(?:[^"]|"")*"/g;

/**
 * The rows of a CSV text as records by the names in its header line. Values are strings; empty values are null. The
 * delimiter is the most frequent one of the header line. The header line must contain `keyColumn`: a plain text with an
 * error would otherwise be a header line without rows. Throws a contract error without text of the source.
 */
export function decodeCsv(text: string, keyColumn: string | undefined): VendorRecord[] {
  try {
    return recordsOf(text, keyColumn);
  } catch (error) {
    // The message contains line and limit only.
    if (error instanceof CsvError) throw invalid(error.message);
    throw error;
  }
}

function recordsOf(text: string, keyColumn: string | undefined): VendorRecord[] {
  const dialect = { delimiter: delimiterOf(text), quote: '"', escape: '"', comment: null, skipLines: 0 };
  const records: VendorRecord[] = [];
  let names: readonly string[] | undefined;
  for (const { line, values } of parseCsvRecords(text, dialect, { isWhole: true })) {
    if (!names) {
      names = values.map((name) => name.trim());
      if (names.includes('') || new Set(names).size < names.length)
        throw invalid('The header line has empty or duplicate column names.');
      if (keyColumn !== undefined && !names.includes(keyColumn))
        throw invalid(`The header line lacks the primary key ${keyColumn}.`);
    } else if (values.length !== names.length)
      // The last row of a response that was cut off is too short.
      throw invalid(`The record at line ${line} has ${values.length} values for ${names.length} columns.`);
    else records.push(Object.fromEntries(names.map((name, column) => [name, values[column] || null])));
  }
  return records;
}

function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text.trimStart())?.[0].replace(QUOTED, '') ?? '';
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

function invalid(problem: string): Error {
  return failureOf('unexpected_shape', { message: `The CSV response is invalid: ${problem}` });
}
