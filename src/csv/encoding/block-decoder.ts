import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { utf8LengthAt } from './analyze-utf8.js';
import { bomLength } from './detect-encoding.js';

/** A byte sequence that is invalid in the encoding, or a NUL. */
export interface InvalidCharacter {
  /** Index in the text of the block. */
  readonly index: number;
  /** Byte offset in the file. */
  readonly offset: number;
  readonly isNul: boolean;
}

export interface TextBlock {
  readonly text: string;
  /**
   * The first invalid character of each line, in the order of the text. Omits further invalid characters of a line, so
   * that a file full of them needs no extra memory.
   */
  readonly invalidCharacters: readonly InvalidCharacter[];
}

/** In any encoding, every line of a valid record fits into this size. The decoder divides only longer lines. */
const MAX_LINE_BYTES = 6 * 1024 * 1024;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

const NUL = /\0/g;
const LINE_END = /[\r\n]/g;
const INVALID_CHARACTER = /[\0\ufffd]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Decodes a file chunk by chunk and reports invalid characters. Blocks end at line ends, so that no character is split.
 * Drops the byte order mark.
 */
export class BlockDecoder {
  readonly #unit: number;
  #pending: Buffer = Buffer.alloc(0);
  #offset = 0;

  /** `encoding` is a `Dialect.encoding`. */
  constructor(private readonly encoding: string) {
    this.#unit = encoding.startsWith('utf-32') ? 4 : encoding.startsWith('utf-16') ? 2 : 1;
  }

  get isAtStart(): boolean {
    return this.#offset === 0;
  }

  /**
   * Returns the lines that these bytes complete. Keeps a reference to the bytes of an incomplete line, so the caller
   * must not change them.
   */
  add(bytes: Buffer): Buffer {
    const all = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    const length = this.#endOfLines(all);
    this.#pending = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Skips `length` bytes that the caller has already read. */
  skip(length: number): void {
    this.#offset += length;
  }

  end(): TextBlock {
    return this.decode(this.#pending);
  }

  #endOfLines(bytes: Buffer): number {
    const end = this.#unit === 1 ? endOfPlainLines(bytes) : this.#endOfWideLines(bytes);
    return end === 0 && bytes.length > MAX_LINE_BYTES ? bytes.length - (bytes.length % this.#unit) : end;
  }

  #endOfWideLines(bytes: Buffer): number {
    const low = this.encoding.endsWith('le') ? 0 : this.#unit - 1;
    for (let end = bytes.length - (bytes.length % this.#unit); end > 0; end -= this.#unit) {
      const unit = bytes.subarray(end - this.#unit, end);
      const isEnd = unit[low] === LINE_FEED || unit[low] === CARRIAGE_RETURN;
      if (isEnd && unit.every((byte, index) => index === low || byte === 0)) return end;
    }
    return 0;
  }

  /**
   * Decodes the lines that `add` returned. The caller may split their bytes after any line feed, and decode one part
   * after another.
   */
  decode(bytes: Buffer): TextBlock {
    const start = this.#offset === 0 ? bomLength(bytes, this.encoding) : 0;
    const offset = this.#offset + start;
    this.#offset += bytes.length;
    const content = bytes.subarray(start);
    if (this.encoding === 'utf-8') return decodeUtf8(content, offset);
    const half = content.length % this.#unit;
    return decodeOther(content.subarray(0, content.length - half), this.encoding, offset, half > 0);
  }
}

function endOfPlainLines(bytes: Buffer): number {
  const lineFeed = bytes.lastIndexOf(LINE_FEED);
  // In most files, all lines end with LF. A search for CR would scan the whole chunk again.
  return (lineFeed >= 0 ? lineFeed : bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
}

function decodeUtf8(bytes: Buffer, offset: number): TextBlock {
  if (!isUtf8(bytes)) return decodeBrokenUtf8(bytes, offset);
  const text = bytes.toString('utf8');
  if (!bytes.includes(0)) return { text, invalidCharacters: [] };
  return { text, invalidCharacters: findInvalidCharacters(text, offset, (part) => Buffer.byteLength(part), NUL) };
}

/** Replaces every invalid byte with U+FFFD. The text may also contain valid U+FFFD characters. */
function decodeBrokenUtf8(bytes: Buffer, offset: number): TextBlock {
  const invalidCharacters: InvalidCharacter[] = [];
  const pieces: string[] = [];
  let isFirstInLine = true;
  let index = 0;
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = utf8LengthAt(bytes, at);
    const isNul = bytes[at] === 0;
    if (length > 0 && !isNul) {
      if (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) isFirstInLine = true;
      at += length;
      continue;
    }
    const valid = bytes.toString('utf8', from, at);
    index += valid.length;
    if (isFirstInLine) invalidCharacters.push({ index, offset: offset + at, isNul });
    isFirstInLine = false;
    pieces.push(valid, isNul ? '\0' : '\ufffd');
    index += 1;
    at += 1;
    from = at;
  }
  pieces.push(bytes.toString('utf8', from));
  return { text: pieces.join(''), invalidCharacters };
}

/** With `isCut`, appends U+FFFD for an incomplete character at the end of the file. */
function decodeOther(bytes: Buffer, encoding: string, offset: number, isCut: boolean): TextBlock {
  const text = iconv.decode(bytes, encoding, { stripBOM: false });
  const lengthOf = (part: string): number => iconv.encode(part, encoding, { addBOM: false }).length;
  const isValid = text.isWellFormed() && !text.includes('\ufffd') && !text.includes('\0');
  const invalidCharacters = isValid ? [] : findInvalidCharacters(text, offset, lengthOf, INVALID_CHARACTER);
  if (!isCut) return { text, invalidCharacters };
  const half = { index: text.length, offset: offset + bytes.length, isNul: false };
  return { text: `${text}\ufffd`, invalidCharacters: [...invalidCharacters, half] };
}

function findInvalidCharacters(
  text: string,
  start: number,
  lengthOf: (part: string) => number,
  pattern: RegExp,
): InvalidCharacter[] {
  const invalidCharacters: InvalidCharacter[] = [];
  let offset = start;
  let from = 0;
  for (let found = findFrom(0, pattern, text); found; found = findFrom(endOfLine(text, from), pattern, text)) {
    offset += lengthOf(text.slice(from, found.index));
    from = found.index;
    invalidCharacters.push({ index: from, offset, isNul: found[0] === '\0' });
  }
  return invalidCharacters;
}

function endOfLine(text: string, from: number): number {
  return findFrom(from, LINE_END, text)?.index ?? text.length;
}

function findFrom(start: number, pattern: RegExp, text: string): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}
