import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { releaseBuffer } from '../../kernel/files/release-buffer.js';
import { toFileStoreError } from '../../kernel/files/to-file-store-error.js';
import { sqlName, sqlText } from '../duckdb.js';

/** Source of a row, and when it was received. */
export interface RowOrigin {
  /** UUID of the batch or file. */
  readonly batch: string;
  /** Position in the batch or file, from 1. */
  readonly row: number;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
}

/**
 * Format of the files that DuckDB reads: one row per line, its origin first, values separated by `SEPARATOR`, nothing
 * for null. Values are never quoted, so every newline ends a line and DuckDB can start to read anywhere. An ambiguous
 * value, such as an empty one, is written as `MARK` followed by its UTF-8 bytes in hexadecimal.
 */
const SEPARATOR = '\x1f';
const MARK = '\x01';
/** Includes NUL, because DuckDB treats it as a quote if no quote is set. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const AMBIGUOUS = /^$|^\x01|[\0\n\r\x1f]/;
/** Columns before the values. */
const ORIGIN_COLUMNS = ['batch', 'row', 'receivedAt'] as const;

/** Up to this length, a loop over the characters is faster than the regular expression. */
const SHORT_VALUE_CHARACTERS = 48;
const FIRST_PRINTABLE = 32;

/** Size of a file. DuckDB reads a file in one statement, so this bounds its memory. */
const MAX_FILE_BYTES = 128 * 2 ** 20;

/**
 * Files of wide tables are also limited by values, because DuckDB allocates memory for 2,048 rows even if there are
 * fewer.
 */
const WIDE_TABLE_COLUMNS = 1_000;
const MAX_FILE_VALUES = 2 ** 21;

const WRITE_BLOCK_CHARACTERS = 256 * 1024;

/** Minimum buffer of DuckDB; a line must fit into it. */
const MIN_READ_BUFFER_BYTES = 8 * 2 ** 20;

/** A complete staging file, as plain data that can be passed between threads. */
export interface StagingFile {
  readonly path: string;
  /** Upper bound of the length of the longest line, in bytes. */
  readonly longestLine: number;
  /** Indexes of the values that have a `MARK` in any line. */
  readonly marked: ReadonlySet<number>;
  /** Origin of the first line. Other lines omit the parts that are the same. */
  readonly usual: Omit<RowOrigin, 'row'>;
}

/** A staging file that is still being written. */
interface OpenStagingFile extends StagingFile {
  rows: number;
  longestLine: number;
  readonly marked: Set<number>;
  bytes: number;
  readonly stream: WriteStream;
}

/** Writes lines to files named `path` plus a number. */
export class StagingFileWriter {
  readonly #parts: OpenStagingFile[] = [];
  readonly #ended: Promise<void>[] = [];
  #open: OpenStagingFile | undefined;
  #failure: unknown;
  #text = '';
  #bytes = 0;
  #rows = 0;

  /** `checked`: indexes of the values that may be any text. Other values are never ambiguous. */
  constructor(
    private readonly path: string,
    private readonly checked: readonly number[],
  ) {}

  get rows(): number {
    return this.#rows;
  }

  /** Approximate size of all lines. */
  get bytes(): number {
    return this.#bytes + this.#text.length;
  }

  add({ batch, row, receivedAt }: RowOrigin, values: readonly (string | null)[]): void {
    const part = this.#open ?? this.#begin({ batch, receivedAt });
    const { usual } = part;
    const texts = this.#hasAmbiguous(values) ? values.map((value, nth) => escapeValue(part, value, nth)) : values;
    const ownBatch = batch === usual.batch ? '' : batch;
    const ownTime = receivedAt === usual.receivedAt ? '' : receivedAt;
    const line = `${ownBatch}${SEPARATOR}${row}${SEPARATOR}${ownTime}${SEPARATOR}${texts.join(SEPARATOR)}\n`; // `join` turns null into an empty string
    this.#text += line;
    this.#rows += 1;
    part.rows += 1;
    part.longestLine = Math.max(part.longestLine, 3 * line.length); // UTF-8 needs at most 3 bytes per UTF-16 unit
    if (this.#text.length >= WRITE_BLOCK_CHARACTERS) this.#write(part);
    const isFull =
      part.bytes >= MAX_FILE_BYTES ||
      (values.length > WIDE_TABLE_COLUMNS && part.rows * values.length >= MAX_FILE_VALUES);
    if (isFull) this.#endPart();
  }

  /** Resolves when the write buffer has room. Throws `FileStoreError`. */
  async drained(): Promise<void> {
    const stream = this.#open?.stream;
    if (stream?.writableNeedDrain) await once(stream, 'drain').catch(this.#fail);
    if (this.#failure) throw toFileStoreError(this.#failure);
  }

  /** Closes and returns the files. Throws `FileStoreError`. */
  async end(): Promise<readonly StagingFile[]> {
    this.#endPart();
    await Promise.all(this.#ended);
    if (this.#failure) throw toFileStoreError(this.#failure);
    return this.#parts.map(({ path, longestLine, marked, usual }) => ({ path, longestLine, marked, usual }));
  }

  #hasAmbiguous(values: readonly (string | null)[]): boolean {
    for (const nth of this.checked) if (isAmbiguous(values[nth] ?? null)) return true;
    return false;
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error;
  };

  #begin(usual: StagingFile['usual']): OpenStagingFile {
    const path = `${this.path}-${this.#parts.length + 1}`;
    const stream = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: 4 * WRITE_BLOCK_CHARACTERS });
    this.#ended.push(finished(stream).catch(this.#fail));
    this.#open = { path, stream, rows: 0, bytes: 0, longestLine: 0, marked: new Set(), usual };
    this.#parts.push(this.#open);
    return this.#open;
  }

  #write(part: OpenStagingFile): void {
    const block = Buffer.from(this.#text);
    this.#text = '';
    this.#bytes += block.length;
    part.bytes += block.length;
    if (!this.#failure) part.stream.write(block, () => releaseBuffer(block));
  }

  #endPart(): void {
    if (!this.#open) return;
    this.#write(this.#open);
    this.#open.stream.end();
    this.#open = undefined;
  }
}

function isAmbiguous(value: string | null): boolean {
  if (value === null) return false;
  if (value.length === 0 || value.length > SHORT_VALUE_CHARACTERS) return AMBIGUOUS.test(value);
  for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) < FIRST_PRINTABLE) return AMBIGUOUS.test(value);
  return false;
}

function escapeValue(part: OpenStagingFile, value: string | null, nth: number): string | null {
  if (value === null || !isAmbiguous(value)) return value;
  part.marked.add(nth);
  return MARK + Buffer.from(value).toString('hex');
}

/**
 * Table function that reads a staging file with `count` values per line, all as text. See `stagingValueSql` and
 * `stagingOriginSql`.
 */
export function stagingFileSql({ path, longestLine }: StagingFile, count: number): string {
  const buffer = String(Math.max(MIN_READ_BUFFER_BYTES, 2 * longestLine));
  const names = [...ORIGIN_COLUMNS, ...Array.from({ length: count }, (_, nth) => columnOf(nth))];
  const columns = names.map((name) => `${sqlName(name)}: 'VARCHAR'`);
  const options = {
    ...{ auto_detect: 'false', header: 'false', skip: '0', strict_mode: 'true', null_padding: 'false' },
    ...{ delim: sqlText(SEPARATOR), quote: "''", escape: "''", comment: "''", nullstr: "''" },
    ...{ new_line: String.raw`'\n'`, encoding: "'utf-8'", compression: "'none'" },
    ...{ max_line_size: buffer, buffer_size: buffer, columns: `{${columns.join(', ')}}` },
  };
  const list = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  return `read_csv(${sqlText(path)}, ${list.join(', ')})`;
}

/** SQL that decodes value `nth` of a line. */
export function stagingValueSql({ marked }: StagingFile, nth: number): string {
  const column = columnOf(nth);
  if (!marked.has(nth)) return column;
  return `case when starts_with(${column}, ${sqlText(MARK)}) then decode(unhex(substr(${column}, 2))) else ${column} end`;
}

/** Columns of the origin: the SQL of a line's own value, and the value to use if that is null. */
export function stagingOriginSql({ usual }: StagingFile): { own: string; usual: string | undefined }[] {
  return ORIGIN_COLUMNS.map((name) => ({ own: sqlName(name), usual: name === 'row' ? undefined : usual[name] }));
}

function columnOf(nth: number): string {
  return `c${nth}`;
}
