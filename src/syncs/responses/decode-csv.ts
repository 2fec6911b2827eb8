import type { CsvDialect } from '../../catalog/model/response-extraction.js';
import { CsvError } from '../../csv/model/csv-error.js';
import { CsvChunkReader } from '../../csv/records/csv-chunk-reader.js';
import { type CsvRecord, parseCsvRecords, positionOfLine } from '../../csv/records/parse-csv-records.js';
import type { VendorRecord } from '../tap-page.js';
import { failureOf } from './failure-table.js';

/** In order of preference. */
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTED = /"(?:[^"]|"")*"/g;

/**
 * Empty values are null. The delimiter defaults to the most frequent delimiter in the header line. The header line must
 * contain `keyColumn`, because an error in plain text would otherwise look like a header line. Throws `TapReadError`,
 * whose message contains no text of the source.
 */
export function decodeCsv(text: string, keyColumn: string | undefined, csv: CsvDialect = {}): VendorRecord[] {
  try {
    return [...new CsvHeader(keyColumn, csv).recordsOf(parseCsvRecords(text, dialectOf(text, csv), { isWhole: true }))];
  } catch (error) {
    throw withoutText(error);
  }
}

/** Like `decodeCsv`, for a text in chunks. */
export async function* decodeCsvChunks(
  texts: AsyncIterable<string>,
  keyColumn: string | undefined,
  csv: CsvDialect = {},
): AsyncGenerator<VendorRecord[]> {
  const header = new CsvHeader(keyColumn, csv);
  let reader: CsvChunkReader | undefined;
  try {
    for await (const text of withoutLines(texts, csv.skipLines ?? 0)) {
      reader ??= new CsvChunkReader(dialectOf(text, { ...csv, skipLines: 0 }));
      yield [...header.recordsOf(reader.read(text))];
    }
    if (reader) yield [...header.recordsOf(reader.end())];
  } catch (error) {
    throw withoutText(error);
  }
}

class CsvHeader {
  #names: readonly string[] | undefined;

  constructor(
    private readonly keyColumn: string | undefined,
    { columns }: CsvDialect,
  ) {
    this.#names = columns && this.#namesIn(columns);
  }

  /** Without `columns` in the definition, the first row of the response is the header line. */
  *recordsOf(rows: Iterable<CsvRecord>): Generator<VendorRecord> {
    for (const { line, values } of rows) {
      const names = this.#names;
      if (!names) this.#names = this.#namesIn(values);
      else if (values.length !== names.length)
        // In a truncated response, the last row can be too short.
        throw invalid(
          `The number of values (${values.length}) at line ${line} differs from the number of columns (${names.length}).`,
        );
      else yield Object.fromEntries(names.map((name, column) => [name, values[column] || null]));
    }
  }

  #namesIn(values: readonly string[]): string[] {
    const names = values.map((name) => name.trim());
    if (names.includes('') || new Set(names).size < names.length)
      throw invalid('The header line has empty or duplicate column names.');
    if (this.keyColumn !== undefined && !names.includes(this.keyColumn))
      throw invalid(`The header line lacks the primary key ${this.keyColumn}.`);
    return names;
  }
}

function dialectOf(text: string, csv: CsvDialect) {
  const { delimiter, quote = '"', comment, skipLines = 0 } = csv;
  return {
    delimiter: delimiter ?? delimiterOf(firstRecord(text, csv)),
    ...{ quote: quote || null, escape: (csv.escape ?? quote) || null, comment: comment || null, skipLines },
  };
}

/** Removes the first `skipLines` lines, and the lines directly below them that start with `comment`. */
function firstRecord(text: string, { skipLines = 0, comment }: CsvDialect): string {
  const rest = text.slice(positionOfLine(text, skipLines));
  return comment && rest.startsWith(comment) ? firstRecord(rest, { skipLines: 1, comment }) : rest;
}

async function* withoutLines(texts: AsyncIterable<string>, lines: number): AsyncGenerator<string> {
  let held: string | undefined = '';
  for await (const text of texts) {
    if (held === undefined) yield text;
    else {
      held += text;
      const at = positionOfLine(held, lines);
      if (at >= held.length) continue;
      yield held.slice(at);
      held = undefined;
    }
  }
}

/** Keeps only the message of a `CsvError`, which contains no text of the source. */
function withoutText(error: unknown): unknown {
  return error instanceof CsvError ? invalid(error.message) : error;
}

function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text.trimStart())?.[0].replace(QUOTED, '') ?? '';
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

function invalid(problem: string): Error {
  return failureOf('unexpected_shape', { message: `The CSV response is invalid: ${problem}` });
}
