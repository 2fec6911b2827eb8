import { isUtf8 } from 'node:buffer';
import { BlockDecoder, type TextBlock } from './encoding/block-decoder.js';
import { InvalidCharacters } from './encoding/invalid-characters.js';
import { MAX_COLUMNS, MAX_RECORD_CHARACTERS } from './model/csv-limits.js';
import type { DataSchema } from './model/data-schema.js';
import { PlainRowReader, type PlainRowSink } from './plain/plain-row-reader.js';
import { isRepeatedHeader } from './records/is-repeated-header.js';
import { countLineEnds, positionOfLine } from './records/parse-csv-records.js';
import { RecordScanner } from './records/record-scanner.js';
import { RecordSkipper } from './records/record-skipper.js';
import { type HeldRecord, isRemark, MAX_REMARKS } from './records/remarks.js';
import { RowConverter } from './row-converter.js';

/** Receives rows. Row numbers start at 1 after the header and include rejected rows. */
export interface RowSink {
  /**
   * Receives a row with one value per field, in the format of `ValueReader`. A missing value is null. The receiver may
   * keep and change the array. Line numbers start at 1.
   */
  accept(row: number, values: (string | null)[], line: number): void;
  /**
   * Receives a rejected row, such as a row that does not fit the schema. `record` is the text of the row, at most
   * 1,048,576 characters.
   */
  reject(row: number, reason: string, record: string): void;
}

type InputState = { readonly hasMore: boolean };

const LINE_FEED = 10;
/** After at most this number of bytes and the rest of their line, the stream calls `PlainRowReader` again. */
const MAX_TEXT_BYTES = 2 ** 16;

const TOO_WIDE = `the row has more than ${MAX_COLUMNS.toLocaleString('en')} values`;
const TOO_LONG = `the row has more than ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters`;
const OPEN_QUOTE = 'an opening quote has no closing quote, so the service cannot read the rest of the file';

/**
 * Reads a CSV file of any size chunk by chunk, in constant memory. Accepts or rejects every row. Missing values of
 * short rows become empty. Rejects unreadable rows, rows that do not fit the schema, and repeated headers. Also rejects
 * remarks and other tables below the table. Blank lines and comments are not rows.
 */
export class CsvRowStream {
  readonly #blocks: BlockDecoder;
  readonly #scanner: RecordScanner;
  readonly #converter: RowConverter;
  readonly #plainRows: PlainRowReader | undefined;
  #linesBefore: number;
  #awaitsHeader: boolean;
  readonly #nextTableLine: number;
  #row = 0;
  #text = '';
  /** Position of `#text` in the text of the file, in characters. */
  #offset = 0;
  /** Invalid characters with their positions in the text of the file, in characters. */
  readonly #invalidCharacters = new InvalidCharacters();
  /** A record that is too long. Set only while the stream searches for the end of this record. */
  #skipped: { readonly skipper: RecordSkipper; readonly record: string } | undefined;
  /** The last records, if they may be remarks below the table. */
  #held: HeldRecord[] = [];

  /**
   * For UTF-8 files with an ASCII delimiter, `plainSink` receives most rows instead of `sink`. This is several times
   * faster. Throws a TypeError if the schema has an invalid format.
   */
  constructor(
    private readonly schema: DataSchema,
    private readonly sink: RowSink,
    plainSink?: PlainRowSink,
  ) {
    const { dialect, fields } = schema;
    this.#blocks = new BlockDecoder(dialect.encoding);
    this.#scanner = new RecordScanner('', dialect, false);
    this.#converter = new RowConverter(fields);
    this.#plainRows = plainSink && PlainRowReader.of(schema, plainSink);
    this.#linesBefore = dialect.skipLines;
    this.#awaitsHeader = dialect.header;
    this.#nextTableLine = dialect.nextTableLine ?? Infinity;
  }

  /** Reads all rows that these bytes complete. May keep a reference to the bytes. */
  read(bytes: Buffer): void {
    const lines = this.#blocks.add(bytes);
    if (this.#plainRows && isUtf8(lines)) this.#readLines(lines, this.#plainRows);
    else if (lines.length > 0) this.#readTexts(lines);
  }

  /** Reads plain rows from the bytes, and all other lines as text. */
  #readLines(lines: Buffer, plainRows: PlainRowReader): void {
    let textBytes = 0;
    for (let at = 0; at < lines.length; ) {
      if (this.#isBetweenRows()) {
        const { end, rows } = plainRows.read(lines, at, this.#row, this.#nextTableLine - this.#scanner.restLine);
        if (rows > 0) {
          this.#blocks.skip(end - at);
          this.#scanner.restLine += rows;
          this.#scanner.isAfterCarriageReturn = false;
          this.#row += rows;
          this.#converter.widths.addEven(rows);
          textBytes = 0;
        }
        at = end;
      }
      const lineEnd = lines.indexOf(LINE_FEED, at + textBytes);
      const end = lineEnd < 0 ? lines.length : lineEnd + 1;
      if (end > at) this.#readTexts(lines.subarray(at, end));
      at = end;
      textBytes = Math.min(2 * textBytes + 1, MAX_TEXT_BYTES);
    }
  }

  #readTexts(lines: Buffer): void {
    this.#process(this.#blocks.decode(lines), { hasMore: true });
  }

  /** Returns whether the next byte starts a record that does not depend on the records before it. */
  #isBetweenRows(): boolean {
    return (
      this.#text === '' &&
      this.#held.length === 0 &&
      !this.#skipped &&
      !this.#awaitsHeader &&
      this.#linesBefore === 0 &&
      !this.#blocks.isAtStart
    );
  }

  /** Must be called after the last `read`. */
  end(): void {
    this.#process(this.#blocks.end(), { hasMore: false });
    if (this.#skipped) this.#endSkipping(this.#skipped.skipper.isQuoted ? OPEN_QUOTE : TOO_LONG);
    this.#rejectRemarks();
  }

  /** Throws `CsvError` WA-AF-011 if the rows form no readable table. Must be called after `end`. */
  requireReadable(): void {
    this.#converter.widths.requireReadable();
  }

  #process(block: TextBlock, ahead: InputState): void {
    this.#invalidCharacters.add(block, this.#offset + this.#text.length);
    this.#text += block.text;
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

  /** Skips the lines before the header and rows. Returns false if some of these lines have not arrived yet. */
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

  /** Skips a record that is too long. Returns false if the record continues in the next chunk. */
  #skipRecord(ahead: InputState): boolean {
    if (!this.#skipped) return true;
    const end = this.#skipped.skipper.skip(this.#text);
    this.#scanner.restLine += countLineEnds(this.#text, end ?? this.#text.length);
    this.#passTo(end ?? this.#text.length, ahead);
    if (end === undefined) {
      this.#invalidCharacters.clear(); // The skipped text contains all of them.
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

  /** Counts a row. Returns false for the header. */
  #countRow(): boolean {
    if (this.#awaitsHeader) {
      this.#awaitsHeader = false;
      return false;
    }
    this.#row += 1;
    return true;
  }

  #read(values: string[]): void {
    const { line } = this.#scanner;
    const isOther = line >= this.#nextTableLine;
    if (isOther) this.#rejectRemarks(); // The table has ended before this record.
    if (!this.#countRow()) return;
    if (isOther) {
      this.#rejectRow(`the row belongs to another table (line ${line})`);
      return;
    }
    const invalid = this.#describeInvalidCharacter();
    if (invalid === undefined && this.#holds(values, line)) return;
    this.#releaseHeld();
    const reason = invalid ?? this.#describeRepeatedHeader(values, line) ?? this.#converter.convert(values, line);
    if (reason) this.#rejectRow(reason);
    else this.sink.accept(this.#row, values, line);
  }

  /**
   * Returns whether the record may be a remark below the table. If so, stores the record. The next row or the end of
   * the file then decides whether the record is a remark.
   */
  #holds(values: string[], line: number): boolean {
    const follows = this.#held.length > 0;
    if (this.#held.length === MAX_REMARKS || !isRemark(values, this.schema.fields.length, { follows })) return false;
    const { start, rest } = this.#scanner;
    this.#held.push({ row: this.#row, line, values, record: this.#record(start, rest) });
    return true;
  }

  /** Treats the stored records as rows, because they are not remarks. */
  #releaseHeld(): void {
    if (this.#held.length === 0) return;
    for (const { row, line, values, record } of this.#held) {
      const reason = this.#converter.convert(values, line);
      if (reason) this.sink.reject(row, `row ${row}: ${reason}`, record);
      else this.sink.accept(row, values, line);
    }
    this.#held = [];
  }

  #rejectRemarks(): void {
    // A table has fewer remarks than rows. `#row` counts both.
    if (this.#held.length * 2 >= this.#row) this.#releaseHeld();
    for (const { row, line, record } of this.#held)
      this.sink.reject(row, `row ${row}: the row is a remark below the table (line ${line})`, record);
    this.#held = [];
  }

  #describeRepeatedHeader(values: readonly string[], line: number): string | undefined {
    const { dialect, fields } = this.schema;
    const isHeader = dialect.header && isRepeatedHeader(values, fields);
    return isHeader ? `the row repeats the header (line ${line})` : undefined;
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

  #record(start: number, end: number): string {
    const text = this.#text.slice(start, Math.min(end, start + MAX_RECORD_CHARACTERS));
    return text.replace(/(\r\n|\r|\n)$/, '').toWellFormed();
  }

  #describeInvalidCharacter(): string | undefined {
    const { start, rest } = this.#scanner;
    const character = this.#invalidCharacters.firstWithin(this.#offset + start, this.#offset + rest);
    if (!character) return undefined;
    const reason = character.isNul ? 'is NUL' : `is invalid in ${this.schema.dialect.encoding}`;
    return `the byte at offset ${character.offset} ${reason}`;
  }
}
