import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { releaseBuffer } from '../../kernel/files/release-buffer.js';
import { toFileStoreError } from '../../kernel/files/to-file-store-error.js';
import { escapeAmbiguous, isAmbiguous, SEPARATOR } from './staging-format.js';

export interface RowOrigin {
  /** UUID of the batch or file. */
  readonly batch: string;
  /** Position in the batch or file, starting at 1. */
  readonly row: number;
  /** Time of receipt in ISO 8601, UTC. */
  readonly receivedAt: string;
}

/** DuckDB reads a file in one statement, so this maximum bounds the memory of DuckDB. */
const MAX_FILE_BYTES = 128 * 2 ** 20;

/**
 * In a file with more columns than this, `MAX_FILE_VALUES` also limits the number of values, because DuckDB allocates
 * memory for at least 2,048 rows.
 */
const WIDE_TABLE_COLUMNS = 1_000;
const MAX_FILE_VALUES = 2 ** 21;

const WRITE_BLOCK_BYTES = 256 * 1024;
const LINE_FEED = 10;
/** Maximum number of bytes in UTF-8 for one UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** A complete staging file, as plain data that threads can exchange. */
export interface StagingFile {
  readonly path: string;
  /** Upper bound of the length of the longest line, in bytes. */
  readonly longestLine: number;
  /** Indexes of the values that start with `MARK` in at least one line. */
  readonly marked: ReadonlySet<number>;
  /** Origin of the first line. Other lines omit the parts of their origin that are the same as in this origin. */
  readonly usual: Omit<RowOrigin, 'row'>;
  readonly bytes: number;
  /** Earliest and latest time of receipt of a row, in milliseconds since 1970. */
  readonly firstReceivedAt: number;
  readonly lastReceivedAt: number;
}

interface OpenStagingFile extends StagingFile {
  rows: number;
  longestLine: number;
  readonly marked: Set<number>;
  bytes: number;
  firstReceivedAt: number;
  lastReceivedAt: number;
  readonly stream: WriteStream;
}

/** Writes lines to several files. Each file name consists of `path` and a number. */
export class StagingFileWriter {
  readonly #parts: OpenStagingFile[] = [];
  readonly #ended: Promise<void>[] = [];
  #open: OpenStagingFile | undefined;
  #failure: unknown;
  /**
   * Lines that are not written yet. The writer encodes each line immediately, so that no long chains of small strings
   * remain in memory.
   */
  #block: Buffer | undefined;
  #filled = 0;
  #bytes = 0;
  #rows = 0;

  /** `checked` contains the indexes of the values that may be ambiguous (`isAmbiguous`). */
  constructor(
    private readonly path: string,
    private readonly checked: readonly number[],
  ) {}

  get rows(): number {
    return this.#rows;
  }

  /** Approximate size of all lines. */
  get bytes(): number {
    return this.#bytes + this.#filled;
  }

  add(origin: RowOrigin, values: readonly (string | null)[]): void {
    const part = this.#open ?? this.#begin(origin);
    this.#append(
      part,
      origin,
      this.#hasAmbiguous(values) ? values.map((value, nth) => escapeValue(part, value, nth)) : values,
    );
  }

  /** Like `add`, for values that are not ambiguous. */
  addPlain(origin: RowOrigin, values: readonly (string | null)[]): void {
    this.#append(this.#open ?? this.#begin(origin), origin, values);
  }

  /** Like `addPlain`, for UTF-8 text with `count` values, separated by `SEPARATOR`. */
  addLine(origin: RowOrigin, line: Buffer, length: number, count: number): void {
    const part = this.#open ?? this.#begin(origin);
    const start = originText(part, origin);
    const bytes = start.length + length + 1; // The origin is ASCII: one byte per character.
    if (bytes > WRITE_BLOCK_BYTES) throw new RangeError('the line must fit into a block');
    const block = this.#reserve(part, bytes);
    let at = this.#filled;
    for (let nth = 0; nth < start.length; nth++) block[at++] = start.charCodeAt(nth);
    line.copy(block, at, 0, length);
    block[at + length] = LINE_FEED;
    this.#filled += bytes;
    this.#endLine(part, origin.receivedAt, bytes, count);
  }

  #append(part: OpenStagingFile, origin: RowOrigin, values: readonly (string | null)[]): void {
    const line = `${originText(part, origin)}${values.join(SEPARATOR)}\n`; // `join` turns null into an empty string.
    const maxBytes = MAX_UNIT_BYTES * line.length;
    if (maxBytes > WRITE_BLOCK_BYTES) {
      this.#write(part);
      this.#writeBlock(part, Buffer.from(line));
    } else {
      const block = this.#reserve(part, maxBytes); // Reserves first, because `#reserve` may change `#filled`.
      this.#filled += block.write(line, this.#filled);
    }
    this.#endLine(part, origin.receivedAt, maxBytes, values.length);
  }

  /** Returns a block with room for a line at `#filled`. */
  #reserve(part: OpenStagingFile, bytes: number): Buffer {
    if (bytes > WRITE_BLOCK_BYTES - this.#filled) this.#write(part);
    this.#block ??= Buffer.allocUnsafeSlow(WRITE_BLOCK_BYTES);
    return this.#block;
  }

  #endLine(part: OpenStagingFile, receivedAt: string, maxBytes: number, count: number): void {
    this.#rows += 1;
    part.rows += 1;
    part.longestLine = Math.max(part.longestLine, maxBytes);
    if (receivedAt !== part.usual.receivedAt) extendTimes(part, receivedAt);
    const isFull = part.bytes >= MAX_FILE_BYTES || (count > WIDE_TABLE_COLUMNS && part.rows * count >= MAX_FILE_VALUES);
    if (isFull) this.#endPart();
  }

  /** Resolves when the write buffer has room. Throws `FileStoreError`. */
  async drained(): Promise<void> {
    const stream = this.#open?.stream;
    if (stream?.writableNeedDrain) await once(stream, 'drain').catch(this.#fail);
    if (this.#failure) throw toFileStoreError(this.#failure);
  }

  /** Throws `FileStoreError`. */
  async end(): Promise<readonly StagingFile[]> {
    this.#endPart();
    await Promise.all(this.#ended);
    if (this.#failure) throw toFileStoreError(this.#failure);
    return this.#parts.map(({ stream, rows, ...part }) => part);
  }

  #hasAmbiguous(values: readonly (string | null)[]): boolean {
    for (const nth of this.checked) {
      const value = values[nth];
      if (value != null && isAmbiguous(value)) return true;
    }
    return false;
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error;
  };

  #begin({ batch, receivedAt }: RowOrigin): OpenStagingFile {
    const usual = { batch, receivedAt };
    const path = `${this.path}-${this.#parts.length + 1}`;
    const stream = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: 4 * WRITE_BLOCK_BYTES });
    this.#ended.push(finished(stream).catch(this.#fail));
    const time = Date.parse(receivedAt);
    const times = { firstReceivedAt: time, lastReceivedAt: time };
    this.#open = { path, stream, rows: 0, bytes: 0, longestLine: 0, marked: new Set(), usual, ...times };
    this.#parts.push(this.#open);
    return this.#open;
  }

  #write(part: OpenStagingFile): void {
    if (this.#block) this.#writeBlock(part, this.#block.subarray(0, this.#filled), this.#block);
    this.#block = undefined;
    this.#filled = 0;
  }

  #writeBlock(part: OpenStagingFile, bytes: Buffer, block = bytes): void {
    this.#bytes += bytes.length;
    part.bytes += bytes.length;
    if (!this.#failure) part.stream.write(bytes, () => releaseBuffer(block));
  }

  #endPart(): void {
    if (!this.#open) return;
    this.#write(this.#open);
    this.#open.stream.end();
    this.#open = undefined;
  }
}

/** Omits the batch and the time of receipt if they equal the values of the first line. */
function originText({ usual }: OpenStagingFile, { batch, row, receivedAt }: RowOrigin): string {
  const ownBatch = batch === usual.batch ? '' : batch;
  const ownTime = receivedAt === usual.receivedAt ? '' : receivedAt;
  return `${ownBatch}${SEPARATOR}${row}${SEPARATOR}${ownTime}${SEPARATOR}`;
}

function extendTimes(part: OpenStagingFile, receivedAt: string): void {
  const time = Date.parse(receivedAt);
  part.firstReceivedAt = Math.min(part.firstReceivedAt, time);
  part.lastReceivedAt = Math.max(part.lastReceivedAt, time);
}

function escapeValue(part: OpenStagingFile, value: string | null, nth: number): string | null {
  if (value === null || !isAmbiguous(value)) return value;
  part.marked.add(nth);
  return escapeAmbiguous(value);
}
