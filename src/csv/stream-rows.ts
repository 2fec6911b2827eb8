import { BlockDecoder, type InvalidCharacter, type TextBlock } from './encoding/block-decoder.js';
import { MAX_COLUMNS, MAX_RECORD_CHARACTERS } from './model/csv-limits.js';
import type { DataSchema, SchemaField } from './model/data-schema.js';
import { positionOfLine } from './records/parse-csv-records.js';
import { RecordScanner } from './records/record-scanner.js';
import { RecordSkipper } from './records/record-skipper.js';
import { describeTypeMismatch } from './types/describe-type-mismatch.js';
import { createFieldReader, type FieldReader } from './types/field-reader.js';

/** Rows are counted from 1 behind the header, those that are refused too. */
export interface RowSink {
  /** A value for each field, in its order and in the spelling of `ValueReader`; null where there is none. The array is the taker's. */
  accept(row: number, values: (string | null)[]): void;
  /** A row that does not fit the schema, or cannot be read: why, and its text, of which 1,048,576 characters at the most. */
  reject(row: number, reason: string, record: string): void;
}

interface InputState {
  readonly hasMore: boolean;
}

const TOO_WIDE = `more than ${MAX_COLUMNS.toLocaleString('en')} values`;
const TOO_LONG = `more than ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters`;
const OPEN_QUOTE = 'a quote opens that is never closed; nothing behind it can be read';

/**
 * Reads a CSV file of any size from its bytes, as they come, in constant memory. No row is left out: each is taken or refused. Blank lines and
 * comments are no rows.
 */
export class CsvRowStream {
  readonly #blocks: BlockDecoder;
  readonly #scanner: RecordScanner;
  readonly #readers: readonly FieldReader[];
  /** What is still to come before the rows. */
  #linesBefore: number;
  #awaitsHeader: boolean;
  #row = 0;
  /** What was not read yet, of which the scanner knows. */
  #text = '';
  /** Characters of the file before that. */
  #offset = 0;
  /** By characters of the file; those before `#nextFlaw` lie behind. */
  #invalidCharacters: InvalidCharacter[] = [];
  #nextInvalidCharacter = 0;
  /** A record whose end is searched for. */
  #skipped: { readonly skipper: RecordSkipper; readonly record: string } | undefined;

  /** Throws TypeError for a schema that no inference makes. */
  constructor(
    private readonly schema: DataSchema,
    private readonly sink: RowSink,
  ) {
    const { dialect, fields } = schema;
    this.#blocks = new BlockDecoder(dialect.encoding);
    this.#scanner = new RecordScanner('', dialect, false);
    this.#readers = fields.map(readerOf);
    this.#linesBefore = dialect.skipLines;
    this.#awaitsHeader = dialect.header;
  }

  /** Takes all rows that are whole with these bytes, which may be kept for a while. */
  read(bytes: Buffer): void {
    const block = this.#blocks.read(bytes);
    if (block) this.#process(block, { hasMore: true });
  }

  /** Takes the rest, when there are no more bytes. */
  end(): void {
    this.#process(this.#blocks.end(), { hasMore: false });
    if (this.#skipped) this.#endSkipping(this.#skipped.skipper.isQuoted ? OPEN_QUOTE : TOO_LONG);
  }

  #process({ text, invalidCharacters: flaws }: TextBlock, ahead: InputState): void {
    const start = this.#offset + this.#text.length;
    this.#invalidCharacters = this.#invalidCharacters.slice(this.#nextInvalidCharacter);
    this.#nextInvalidCharacter = 0;
    for (const flaw of flaws) this.#invalidCharacters.push({ ...flaw, index: start + flaw.index });
    this.#text += text;
    if (!this.#passLinesBefore(ahead)) return;
    this.#scanner.moveTo(this.#text, 0, ahead);
    do {
      if (!this.#passSkipped(ahead)) return;
      this.#readRows(ahead);
    } while (this.#skipped);
    this.#passTo(this.#scanner.rest, ahead);
  }

  #passTo(position: number, ahead: InputState): void {
    this.#text = this.#text.slice(position);
    this.#offset += position;
    this.#scanner.moveTo(this.#text, position, ahead);
  }

  /** Whether they lie behind. */
  #passLinesBefore(ahead: InputState): boolean {
    if (this.#linesBefore === 0) return true;
    const end = positionOfLine(this.#text, this.#linesBefore);
    // What follows may be the other half of a line end.
    if (end >= this.#text.length && ahead.hasMore) return false;
    this.#linesBefore = 0;
    this.#passTo(end, ahead);
    return true;
  }

  #readRows(ahead: InputState): void {
    for (;;) {
      const values = this.#scanner.next();
      const { error: fault, start, rest } = this.#scanner;
      if (values) this.#read(values);
      else if (fault === undefined) return;
      else if (rest > start) {
        this.#refuse(rest - start > MAX_RECORD_CHARACTERS ? TOO_LONG : TOO_WIDE);
        this.#scanner.error = undefined;
      } else {
        this.#skipped = { skipper: new RecordSkipper(this.schema.dialect), record: this.#record(start, Infinity) };
        this.#passTo(start, ahead);
        return;
      }
    }
  }

  /** Whether the end of a record that is skipped lies behind. */
  #passSkipped(ahead: InputState): boolean {
    if (!this.#skipped) return true;
    const end = this.#skipped.skipper.skip(this.#text);
    this.#passTo(end ?? this.#text.length, ahead);
    if (end === undefined) {
      [this.#invalidCharacters, this.#nextInvalidCharacter] = [[], 0]; // all of them lie behind
      return false;
    }
    this.#endSkipping(TOO_LONG);
    return true;
  }

  #endSkipping(reason: string): void {
    const record = this.#skipped?.record ?? '';
    this.#skipped = undefined;
    if (this.#countRow()) this.sink.reject(this.#row, `row ${this.#row}: ${reason}`, record);
  }

  /** Whether the record is a row. */
  #countRow(): boolean {
    if (this.#awaitsHeader) {
      this.#awaitsHeader = false;
      return false;
    }
    this.#row += 1;
    return true;
  }

  #read(values: (string | null)[]): void {
    if (!this.#countRow()) return;
    const reason = (this.#invalidCharacters.length > 0 && this.#describeInvalidCharacter()) || this.#convert(values);
    if (reason) this.#refuseRow(reason);
    else this.sink.accept(this.#row, values);
  }

  #refuse(reason: string): void {
    if (this.#countRow()) this.#refuseRow(reason);
  }

  #refuseRow(reason: string): void {
    const { start, rest } = this.#scanner;
    this.sink.reject(this.#row, `row ${this.#row}: ${reason}`, this.#record(start, rest));
  }

  /** Without its line end, and without halves of characters. */
  #record(start: number, end: number): string {
    const text = this.#text.slice(start, Math.min(end, start + MAX_RECORD_CHARACTERS));
    return text.replace(/(\r\n|\r|\n)$/, '').toWellFormed();
  }

  /** Turns texts into values in their place, or says why not. */
  #convert(values: (string | null)[]): string | undefined {
    const readers = this.#readers;
    const count = values.length;
    if (count !== readers.length && !endsWithDelimiters(values, readers.length))
      return `${count} ${count === 1 ? 'value' : 'values'}, ${readers.length} columns`;
    values.length = readers.length;
    for (let at = 0; at < readers.length; at++) {
      const text = values[at] as string;
      const value = (readers[at] as FieldReader)(text);
      if (value === undefined) return this.#describeTypeMismatch(at, text);
      values[at] = value;
    }
    return undefined;
  }

  #describeTypeMismatch(at: number, text: string): string {
    const field = this.schema.fields[at] as SchemaField;
    const value = text.trim();
    return `column ${JSON.stringify(field.name)}: ${value === '' ? 'there is no value' : describeTypeMismatch(value, field)}`;
  }

  #describeInvalidCharacter(): string | undefined {
    const { start, rest } = this.#scanner;
    while ((this.#invalidCharacters[this.#nextInvalidCharacter]?.index ?? Infinity) < this.#offset + start)
      this.#nextInvalidCharacter++;
    const flaw = this.#invalidCharacters[this.#nextInvalidCharacter];
    if (!flaw || flaw.index >= this.#offset + rest) return undefined;
    const what = flaw.isNul
      ? 'is a NUL, which no text holds'
      : `stands for no character in ${this.schema.dialect.encoding}`;
    return `the byte at offset ${flaw.offset} ${what}`;
  }
}

/** Delimiters at the end of a row, with nothing behind them, are none too many. */
function endsWithDelimiters(values: readonly (string | null)[], expected: number): boolean {
  return values.length > expected && values.slice(expected).every((value) => value === '');
}

function readerOf(field: SchemaField): FieldReader {
  const read = createFieldReader(field);
  if (!read) throw new TypeError(`no value can be read as ${field.type} in this way`);
  return read;
}
