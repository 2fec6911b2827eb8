import type { Dialect } from '../model/data-schema.js';
import { type CsvRecord, requireNoError } from './parse-csv-records.js';
import { RecordScanner } from './record-scanner.js';

/** Like `parseCsvRecords`, for a text that arrives in chunks. Takes constant memory. */
export class CsvChunkReader {
  readonly #scanner: RecordScanner;
  #text = '';

  constructor(dialect: Omit<Dialect, 'encoding' | 'header' | 'skipLines'>) {
    this.#scanner = new RecordScanner('', dialect, false);
  }

  /** Yields the records that this text completes, including the header. Throws the `CsvError` of `parseCsvRecords`. */
  read(text: string): Generator<CsvRecord, void, undefined> {
    return this.#records(text, true);
  }

  /** Yields the remaining records. Must be called after the last `read`. */
  end(): Generator<CsvRecord, void, undefined> {
    return this.#records('', false);
  }

  *#records(added: string, hasMore: boolean): Generator<CsvRecord, void, undefined> {
    const scanner = this.#scanner;
    const from = scanner.rest;
    this.#text = this.#text.slice(from) + added;
    scanner.moveTo(this.#text, from, { hasMore });
    for (let values = scanner.next(); values; values = scanner.next()) yield { line: scanner.line, values };
    requireNoError(scanner);
  }
}
