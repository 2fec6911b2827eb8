import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { toFileStoreError } from '../../kernel/files/to-file-store-error.js';
import { sqlName, sqlText } from '../duckdb.js';

/** Where a row came from, and when. */
export interface RowOrigin {
  /** UUID of the batch or of the file. */
  readonly batch: string;
  /** From 1 within it. */
  readonly row: number;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
}

/**
 * Rows of texts on their way to DuckDB: one line each, its origin first, values apart by a separator, nothing where a value is missing. Nothing is quoted,
 * so a line ends where a line ends, whoever starts to read in the middle. A value that could be taken for something else, the empty one too, is a mark and then its
 * UTF-8 in hexadecimal digits.
 */
const SEPARATOR = '\x1f';
const MARK = '\x01';
/** NUL among it, since DuckDB takes that for a quote that is none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const AMBIGUOUS = /^$|^\x01|[\0\n\r\x1f]/;
/** What a line has of its origin, before the values. */
const ORIGIN_COLUMNS = ['batch', 'row', 'receivedAt'] as const;

/** Characters up to which a look at each is faster than the expression. */
const SHORT_VALUE_CHARACTERS = 48;
const FIRST_PRINTABLE = 32;

/** Bytes of a file: what DuckDB reads in one statement, so that what it needs does not grow with the rows. */
const MAX_FILE_BYTES = 128 * 2 ** 20;

/** Columns from which on a part ends by its values too: DuckDB makes room for 2,048 rows, however few there are. */
const WIDE_TABLE_COLUMNS = 1_000;
const MAX_FILE_VALUES = 2 ** 21;

/** Characters that are written at once. */
const WRITE_BLOCK_CHARACTERS = 256 * 1024;

/** Bytes that DuckDB reads at once, at the least; a line has to fit. */
const MIN_READ_BUFFER_BYTES = 8 * 2 ** 20;

/** A file of whole lines: plain data, which crosses threads. */
export interface StagingFile {
  readonly path: string;
  /** Bytes of its longest line at the most. */
  readonly longestLine: number;
  /** Which values of a line bear a mark anywhere, counted from 0. */
  readonly marked: ReadonlySet<number>;
  /** Of its first line. Whatever another line has in common with that is left out of it. */
  readonly usual: Omit<RowOrigin, 'row'>;
}

/** One that lines still come to. */
interface OpenStagingFile extends StagingFile {
  rows: number;
  longestLine: number;
  readonly marked: Set<number>;
  bytes: number;
  readonly stream: WriteStream;
}

/** Writes lines into files that are named `path` and a number. */
export class StagingFileWriter {
  readonly #parts: OpenStagingFile[] = [];
  readonly #ended: Promise<void>[] = [];
  #open: OpenStagingFile | undefined;
  #failure: unknown;
  #text = '';
  #bytes = 0;
  #rows = 0;

  /** `checked`: which values of a line, counted from 0, may be any text; the others are never misleading. */
  constructor(
    private readonly path: string,
    private readonly checked: readonly number[],
  ) {}

  get rows(): number {
    return this.#rows;
  }

  /** About as many as all lines have. */
  get bytes(): number {
    return this.#bytes + this.#text.length;
  }

  add({ batch, row, receivedAt }: RowOrigin, values: readonly (string | null)[]): void {
    const part = this.#open ?? this.#begin({ batch, receivedAt });
    const { usual } = part;
    const texts = this.#isMisleading(values) ? values.map((value, nth) => escapeValue(part, value, nth)) : values;
    const ownBatch = batch === usual.batch ? '' : batch;
    const ownTime = receivedAt === usual.receivedAt ? '' : receivedAt;
    const line = `${ownBatch}${SEPARATOR}${row}${SEPARATOR}${ownTime}${SEPARATOR}${texts.join(SEPARATOR)}\n`; // nothing for null
    this.#text += line;
    this.#rows += 1;
    part.rows += 1;
    part.longestLine = Math.max(part.longestLine, 3 * line.length); // of a character in UTF-16
    if (this.#text.length >= WRITE_BLOCK_CHARACTERS) this.#write(part);
    const isFull =
      part.bytes >= MAX_FILE_BYTES ||
      (values.length > WIDE_TABLE_COLUMNS && part.rows * values.length >= MAX_FILE_VALUES);
    if (isFull) this.#endPart();
  }

  /** Resolves once lines do not pile up in memory. Throws `FileStoreError`. */
  async drained(): Promise<void> {
    const stream = this.#open?.stream;
    if (stream?.writableNeedDrain) await once(stream, 'drain').catch(this.#fail);
    if (this.#failure) throw toFileStoreError(this.#failure);
  }

  /** The files that have all lines. Throws `FileStoreError`. */
  async end(): Promise<readonly StagingFile[]> {
    this.#endPart();
    await Promise.all(this.#ended);
    if (this.#failure) throw toFileStoreError(this.#failure);
    return this.#parts.map(({ path, longestLine, marked, usual }) => ({ path, longestLine, marked, usual }));
  }

  #isMisleading(values: readonly (string | null)[]): boolean {
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
    if (!this.#failure) part.stream.write(block);
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

/** What reads a part in SQL, all of its lines' so many values as texts: see `stagingValueSql` and `stagingOriginSql`. */
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

/** The value of a line, counted from 0, as it was added. */
export function stagingValueSql({ marked }: StagingFile, nth: number): string {
  const column = columnOf(nth);
  if (!marked.has(nth)) return column;
  return `case when starts_with(${column}, ${sqlText(MARK)}) then decode(unhex(substr(${column}, 2))) else ${column} end`;
}

/** The origin of a line: what it has of its own, with null for what is left out, and what that is then. */
export function stagingOriginSql({ usual }: StagingFile): { own: string; usual: string | undefined }[] {
  return ORIGIN_COLUMNS.map((name) => ({ own: sqlName(name), usual: name === 'row' ? undefined : usual[name] }));
}

function columnOf(nth: number): string {
  return `c${nth}`;
}
