import { BlockDecoder, type InvalidCharacter, type TextBlock } from './encoding/block-decoder.js';
import { MAX_COLUMNS, MAX_RECORD_CHARACTERS } from './model/csv-limits.js';
import type { DataSchema, SchemaField } from './model/data-schema.js';
import { hasExcessValues } from './records/has-excess-values.js';
import { isRepeatedHeader } from './records/is-repeated-header.js';
import { positionOfLine } from './records/parse-csv-records.js';
import { RecordScanner } from './records/record-scanner.js';
import { RecordSkipper } from './records/record-skipper.js';
import { isRemark, MAX_REMARKS } from './records/remarks.js';
import { describeTypeMismatch } from './types/describe-type-mismatch.js';
import { createFieldReader, type FieldReader } from './types/field-reader.js';

/** Row numbers start at 1 after the header and include rejected rows. */
export interface RowSink {
  /** A value per field, in order, in the format of `ValueReader`; null if missing. The receiver owns the array. */
  accept(row: number, values: (string | null)[]): void;
  /** A row that does not fit the schema or cannot be read. `record` is its text, cut to 1,048,576 characters. */
  reject(row: number, reason: string, record: string): void;
}

interface InputState {
  readonly hasMore: boolean;
}

interface HeldRecord {
  readonly row: number;
  readonly line: number;
  readonly values: (string | null)[];
  /** Text of the record. */
  readonly record: string;
}

const TOO_WIDE = `more than ${MAX_COLUMNS.toLocaleString('en')} values`;
const TOO_LONG = `more than ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters`;
const OPEN_QUOTE = 'a quote is never closed; the rest of the file cannot be read';

/**
 * Reads a CSV file of any size chunk by chunk, in constant memory. Every row is either accepted or rejected. Missing
 * values of short rows are empty; excess values, repeated headers and remarks below the table are rejected. Blank lines
 * and comments are not rows.
 */
export class CsvRowStream {
  readonly #blocks: BlockDecoder;
  readonly #scanner: RecordScanner;
  readonly #readers: readonly FieldReader[];
  /** Number of lines to skip before the header and rows. */
  #linesBefore: number;
  #awaitsHeader: boolean;
  #row = 0;
  /** Text that the scanner has not read completely. */
  #text = '';
  /** Position of `#text` in the file, in characters. */
  #offset = 0;
  /**
   * In the order of their positions in the file, which are in characters. The items before `#nextInvalidCharacter` are
   * in rows that were already read.
   */
  #invalidCharacters: InvalidCharacter[] = [];
  #nextInvalidCharacter = 0;
  /** A record that is too long; its end has not been found yet. */
  #skipped: { readonly skipper: RecordSkipper; readonly record: string } | undefined;

  /** The last records, if they may be remarks below the table. */
  #held: HeldRecord[] = [];

  /** Throws a TypeError if the schema has an invalid format. */
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

  /** Reads all rows that these bytes complete. May keep a reference to the bytes. */
  read(bytes: Buffer): void {
    const block = this.#blocks.read(bytes);
    if (block) this.#process(block, { hasMore: true });
  }

  /** Reads the rest after the last bytes. */
  end(): void {
    this.#process(this.#blocks.end(), { hasMore: false });
    if (this.#skipped) this.#endSkipping(this.#skipped.skipper.isQuoted ? OPEN_QUOTE : TOO_LONG);
    this.#rejectRemarks();
  }

  #process({ text, invalidCharacters }: TextBlock, ahead: InputState): void {
    const start = this.#offset + this.#text.length;
    this.#invalidCharacters = this.#invalidCharacters.slice(this.#nextInvalidCharacter);
    this.#nextInvalidCharacter = 0;
    for (const character of invalidCharacters)
      this.#invalidCharacters.push({ ...character, index: start + character.index });
    this.#text += text;
    if (!this.#skipLinesBefore(ahead)) return;
    this.#scanner.moveTo(this.#text, 0, ahead);
    do {
      if (!this.#skipRecord(ahead)) return;
      this.#readRows(ahead);
    } while (this.#skipped);
    this.#passTo(this.#scanner.rest, ahead);
  }

  #passTo(position: number, ahead: InputState): void {
    this.#text = this.#text.slice(position);
    this.#offset += position;
    this.#scanner.moveTo(this.#text, position, ahead);
  }

  /** Returns whether all lines before the header and rows have been skipped. */
  #skipLinesBefore(ahead: InputState): boolean {
    if (this.#linesBefore === 0) return true;
    const end = positionOfLine(this.#text, this.#linesBefore);
    // The next chunk may start with the LF of a CR LF.
    if (end >= this.#text.length && ahead.hasMore) return false;
    this.#linesBefore = 0;
    this.#passTo(end, ahead);
    this.#scanner.restLine = this.schema.dialect.skipLines + 1;
    return true;
  }

  #readRows(ahead: InputState): void {
    for (;;) {
      const values = this.#scanner.next();
      const { error, start, rest } = this.#scanner;
      if (values) this.#read(values);
      else if (error === undefined) return;
      else if (rest > start) {
        this.#reject(rest - start > MAX_RECORD_CHARACTERS ? TOO_LONG : TOO_WIDE);
        this.#scanner.error = undefined;
      } else {
        this.#skipped = { skipper: new RecordSkipper(this.schema.dialect), record: this.#record(start, Infinity) };
        this.#passTo(start, ahead);
        return;
      }
    }
  }

  /** Returns whether the end of the record has been reached. */
  #skipRecord(ahead: InputState): boolean {
    if (!this.#skipped) return true;
    const end = this.#skipped.skipper.skip(this.#text);
    this.#scanner.restLine += countLineEnds(this.#text, end ?? this.#text.length);
    this.#passTo(end ?? this.#text.length, ahead);
    if (end === undefined) {
      [this.#invalidCharacters, this.#nextInvalidCharacter] = [[], 0]; // all of these are in the skipped part
      return false;
    }
    this.#endSkipping(TOO_LONG);
    return true;
  }

  #endSkipping(reason: string): void {
    const record = this.#skipped?.record ?? '';
    this.#skipped = undefined;
    if (!this.#countRow()) return;
    this.#releaseHeld();
    this.sink.reject(this.#row, `row ${this.#row}: ${reason}`, record);
  }

  /** Returns false for the header. */
  #countRow(): boolean {
    if (this.#awaitsHeader) {
      this.#awaitsHeader = false;
      return false;
    }
    this.#row += 1;
    return true;
  }

  #read(values: string[]): void {
    if (!this.#countRow()) return;
    const { line } = this.#scanner;
    const invalid = this.#invalidCharacters.length > 0 ? this.#describeInvalidCharacter() : undefined;
    if (invalid === undefined && this.#holds(values, line)) return;
    this.#releaseHeld();
    const reason = invalid ?? this.#describeRepeatedHeader(values, line) ?? this.#convert(values, line);
    if (reason) this.#rejectRow(reason);
    else this.sink.accept(this.#row, values);
  }

  /** Whether the record may be a remark below the table, which the next row or the end of the file decides. */
  #holds(values: string[], line: number): boolean {
    const follows = this.#held.length > 0;
    if (this.#held.length === MAX_REMARKS || !isRemark(values, this.#readers.length, { follows })) return false;
    const { start, rest } = this.#scanner;
    this.#held.push({ row: this.#row, line, values, record: this.#record(start, rest) });
    return true;
  }

  /** A row follows the held records, so they are rows. */
  #releaseHeld(): void {
    if (this.#held.length === 0) return;
    for (const { row, line, values, record } of this.#held) {
      const reason = this.#convert(values, line);
      if (reason) this.sink.reject(row, `row ${row}: ${reason}`, record);
      else this.sink.accept(row, values);
    }
    this.#held = [];
  }

  #rejectRemarks(): void {
    if (this.#held.length * 2 >= this.#row) this.#releaseHeld(); // fewer rows than remarks
    for (const { row, line, record } of this.#held)
      this.sink.reject(row, `row ${row}: a remark below the table (line ${line})`, record);
  }

  #describeRepeatedHeader(values: readonly string[], line: number): string | undefined {
    const { dialect, fields } = this.schema;
    const isHeader = dialect.header && isRepeatedHeader(values, fields);
    return isHeader ? `repeats the header (line ${line})` : undefined;
  }

  #reject(reason: string): void {
    if (!this.#countRow()) return;
    this.#releaseHeld();
    this.#rejectRow(reason);
  }

  #rejectRow(reason: string): void {
    const { start, rest } = this.#scanner;
    this.sink.reject(this.#row, `row ${this.#row}: ${reason}`, this.#record(start, rest));
  }

  /** Text of a record, without its line end and unpaired surrogates. */
  #record(start: number, end: number): string {
    const text = this.#text.slice(start, Math.min(end, start + MAX_RECORD_CHARACTERS));
    return text.replace(/(\r\n|\r|\n)$/, '').toWellFormed();
  }

  /** Converts the strings in place. Returns the reason if one of them does not fit. */
  #convert(values: (string | null)[], line: number): string | undefined {
    const readers = this.#readers;
    const count = values.length;
    if (hasExcessValues(values, readers.length)) return `${count} values, ${readers.length} columns (line ${line})`;
    values.length = readers.length;
    if (count < readers.length) values.fill('', count);
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
    return `column ${JSON.stringify(field.name)}: ${value === '' ? 'the value is missing' : describeTypeMismatch(value, field)}`;
  }

  #describeInvalidCharacter(): string | undefined {
    const { start, rest } = this.#scanner;
    while ((this.#invalidCharacters[this.#nextInvalidCharacter]?.index ?? Infinity) < this.#offset + start)
      this.#nextInvalidCharacter++;
    const character = this.#invalidCharacters[this.#nextInvalidCharacter];
    if (!character || character.index >= this.#offset + rest) return undefined;
    const reason = character.isNul ? 'is NUL' : `is invalid in ${this.schema.dialect.encoding}`;
    return `the byte at offset ${character.offset} ${reason}`;
  }
}

function countLineEnds(text: string, end: number): number {
  return text.slice(0, end).match(/\r\n|\r|\n/g)?.length ?? 0;
}

function readerOf(field: SchemaField): FieldReader {
  const read = createFieldReader(field);
  if (!read) throw new TypeError(`the format of field "${field.name}" is invalid for the type ${field.type}`);
  return read;
}
