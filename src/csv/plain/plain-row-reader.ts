import type { DataSchema, Dialect, SchemaField } from '../model/data-schema.js';
import { repeatsTitle } from '../records/is-repeated-header.js';
import { type FieldReader, requireFieldReader } from '../types/field-reader.js';
import { createPlainValueCheck, type PlainValueCheck } from './plain-value.js';

export interface PlainRowSink {
  /**
   * Byte between two values. Must be a control character, but not the tab: plain values may contain tabs, but no other
   * control characters.
   */
  readonly separator: number;
  /** Returns whether column `nth` can represent `value`, the result of the `FieldReader` of the column. */
  fits(nth: number, value: string): boolean;
  /**
   * Receives a row. The first `length` bytes of `line` are the values in UTF-8, joined with separators. A null has no
   * bytes. The reader reuses `line` for the next row.
   */
  accept(row: number, line: Buffer, length: number): void;
}

const MAX_LINE_BYTES = 64 * 1024;

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, DELETE] = [9, 10, 13, 32, 127] as const;

/** Maximum ratio of the UTF-8 bytes of a text to the characters of its lower-case form. */
const MAX_SHRINKAGE = 9;

interface PlainColumn {
  readonly nullable: boolean;
  readonly read: FieldReader;
  readonly check: PlainValueCheck | undefined;
  /** For each byte, whether a value of at most `longestNull` bytes that starts with this byte may mean null. */
  readonly nullStarts: Uint8Array;
  readonly longestNull: number;
}

/**
 * Reads plain rows directly from bytes, and converts few values to strings. A plain row has one line and exactly one
 * value per column, and each value fits its column. A plain row contains no control characters except tabs, and no
 * backslash escapes. It is not a comment or a repeated header. The caller reads all other rows as text, which would
 * return the same values for plain rows.
 */
export class PlainRowReader {
  readonly #columns: readonly PlainColumn[];
  readonly #line = Buffer.alloc(MAX_LINE_BYTES);
  /**
   * Bytes that end a value or show that the row is not plain: `#stops` outside quotes, and `#quotedStops` inside
   * quotes.
   */
  readonly #stops = stopsOf();
  readonly #quotedStops = stopsOf();
  readonly #delimiter: number;
  /** -1 if quotes have no special meaning. */
  readonly #quote: number;
  /** First byte of comment lines. -1 if there are no comments. */
  readonly #comment: number;
  readonly #title: SchemaField | undefined;
  readonly #titleStart: number;
  #length = 0;

  private constructor(
    { dialect, fields }: DataSchema,
    private readonly sink: PlainRowSink,
  ) {
    this.#columns = fields.map(columnOf);
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote?.charCodeAt(0) ?? -1;
    this.#comment = dialect.comment === null ? -1 : (Buffer.from(dialect.comment)[0] ?? -1);
    this.#stops[this.#delimiter] = 1;
    if (this.#quote >= 0) this.#stops[this.#quote] = this.#quotedStops[this.#quote] = 1;
    if (dialect.escape === '\\') this.#quotedStops['\\'.charCodeAt(0)] = 1;
    this.#title = dialect.header && fields.length > 1 ? fields[0] : undefined;
    this.#titleStart = Buffer.from((this.#title?.title ?? this.#title?.name ?? '').trim())[0] ?? SPACE;
  }

  /** Returns undefined if no row of the file can be plain. */
  static of(schema: DataSchema, sink: PlainRowSink): PlainRowReader | undefined {
    return hasPlainRows(schema.dialect) ? new PlainRowReader(schema, sink) : undefined;
  }

  /**
   * Reads at most `maxRows` plain rows. Starts at `from`, which must be the start of a line, and stops before the first
   * row that is not plain. `bytes` must be valid UTF-8. The first row has the number `row` + 1. Returns the start of
   * the line after the rows, and the number of rows.
   */
  read(bytes: Buffer, from: number, row: number, maxRows: number): { end: number; rows: number } {
    const lastLineEnd = bytes.lastIndexOf(LINE_FEED);
    let end = from;
    let rows = 0;
    while (end <= lastLineEnd && rows < maxRows) {
      const next = this.#readRow(bytes, end);
      if (next < 0) break;
      end = next;
      rows++;
      this.sink.accept(row + rows, this.#line, this.#length);
    }
    return { end, rows };
  }

  /** Writes the values to `#line`. Returns the start of the next line, or -1 if the row is not plain. */
  #readRow(bytes: Buffer, start: number): number {
    const line = this.#line;
    const stops = this.#stops;
    const last = this.#columns.length - 1;
    let at = start;
    let to = 0;
    let isBlank = true;
    if (bytes[start] === this.#comment) return -1;
    for (let nth = 0; nth <= last; nth++) {
      const valueStart = to;
      let code = bytes[at] as number;
      if (code === this.#quote) {
        const quotedStops = this.#quotedStops;
        for (at++; ; at++) {
          code = bytes[at] as number;
          if (quotedStops[code] === 1) {
            if (code !== this.#quote) return -1;
            code = bytes[++at] as number;
            if (code !== this.#quote) break;
          }
          line[to++] = code;
        }
      } else
        while (stops[code] === 0) {
          line[to++] = code;
          code = bytes[++at] as number;
        }
      if (nth === last) {
        if (code === CARRIAGE_RETURN) code = bytes[++at] as number;
        if (code !== LINE_FEED) return -1;
      } else if (code !== this.#delimiter) return -1;
      at++;
      if (to >= MAX_LINE_BYTES) return -1;
      if (to > valueStart && isPrintable(line[valueStart] as number)) isBlank = false;
      if (nth === 0 && this.#mayRepeatTitle(valueStart, to)) return -1;
      to = this.#settle(nth, valueStart, to);
      if (to < 0) return -1;
      if (nth < last) line[to++] = this.sink.separator;
    }
    this.#length = to;
    return isBlank ? -1 : at;
  }

  #mayRepeatTitle(start: number, end: number): boolean {
    if (!this.#title) return false;
    const first = end > start ? (this.#line[start] as number) : SPACE;
    if (first !== this.#titleStart && isPrintable(first)) return false;
    return repeatsTitle(this.#line.toString('utf8', start, end), this.#title, 0);
  }

  /** Normalizes a value in place. Returns the new end of the value, or -1 if the value does not fit. */
  #settle(nth: number, start: number, end: number): number {
    const line = this.#line;
    const column = this.#columns[nth] as PlainColumn;
    if (start === end) return column.nullable ? start : -1;
    const first = line[start] as number;
    const isPlain =
      isPrintable(first) &&
      isPrintable(line[end - 1] as number) &&
      (column.nullStarts[first] === 0 || end - start > column.longestNull);
    return isPlain && column.check?.(line, start, end) ? end : this.#readText(nth, start, end);
  }

  #readText(nth: number, start: number, end: number): number {
    const { read } = this.#columns[nth] as PlainColumn;
    const text = this.#line.toString('utf8', start, end);
    const value = read(text);
    if (value === null) return start;
    if (value === undefined || value === '' || !this.sink.fits(nth, value)) return -1;
    if (value === text) return end;
    const length = Buffer.byteLength(value);
    return start + length < MAX_LINE_BYTES ? start + this.#line.write(value, start) : -1;
  }
}

function hasPlainRows({ encoding, delimiter, quote, escape: escaping, skipInitialSpace, comment }: Dialect): boolean {
  const isEscapeKnown = quote === null || escaping === quote || escaping === '\\';
  const characters = [delimiter, ...(quote === null ? [] : [quote])];
  const areAscii = characters.every((character) => /^[\t -~]$/.test(character));
  return encoding === 'utf-8' && areAscii && isEscapeKnown && !skipInitialSpace && comment !== '';
}

/** Marks all characters below the space (U+0020) except tabs. */
function stopsOf(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (code < SPACE && code !== TAB ? 1 : 0));
}

function isPrintable(code: number): boolean {
  return code > SPACE && code < DELETE;
}

function columnOf(field: SchemaField): PlainColumn {
  const read = requireFieldReader(field);
  const tokens = field.nullable ? (field.nullTokens ?? []) : [];
  const nullStarts = new Uint8Array(256);
  for (const token of tokens)
    for (const start of [token, token.toUpperCase()]) nullStarts[Buffer.from(start)[0] ?? 0] = 1;
  const longestNull = MAX_SHRINKAGE * Math.max(0, ...tokens.map(({ length }) => length));
  return { nullable: field.nullable, read, check: createPlainValueCheck(field), nullStarts, longestNull };
}
