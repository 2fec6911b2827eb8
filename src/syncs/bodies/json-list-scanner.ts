import { isDeepStrictEqual } from 'node:util';
import { JsonTextError, MAX_DEPTH } from '../responses/parse-lossless-json.js';

/** Member names from the root to a value. Empty for the whole document. */
export type MemberPath = readonly string[];

/** Complete elements with commas between them. The positions are byte offsets in the document. */
export interface ListPart {
  readonly start: number;
  /** Position after the last byte. */
  readonly end: number;
}

export interface FoundList {
  readonly path: MemberPath;
  readonly parts: readonly ListPart[];
}

export interface ScannedJson {
  /** The document, with empty lists in place of the found lists. */
  readonly outline: string;
  readonly lists: readonly FoundList[];
}

export interface PartSizes {
  /** The scanner ends a part after an element, as soon as the part exceeds this size. */
  readonly partBytes: number;
  /** Maximum size of an element, and of the document without its lists. */
  readonly maxElementBytes: number;
}

/** The document without its lists, or one element of a list, exceeds the limit. */
export class JsonPartTooLarge extends Error {
  override readonly name = 'JsonPartTooLarge';
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or list that is open at the current position. A list at one of the given paths is not a level. */
interface Level {
  readonly isObject: boolean;
  /** Undefined inside a list. */
  readonly path: MemberPath | undefined;
}

/**
 * Finds the lists at given paths of a UTF-8 JSON document of any size, in constant memory. Checks only the nesting,
 * because the caller parses `outline` and `parts`, and the parser finds all other errors. Throws `JsonTextError` and
 * `JsonPartTooLarge`.
 */
export class JsonListScanner {
  readonly #lists: { path: MemberPath; parts: ListPart[] }[] = [];
  readonly #outline: Buffer[] = [];
  #outlineBytes = 0;
  readonly #levels: Level[] = [];
  /** Position of the current chunk in the document. */
  #offset = 0;
  #isString = false;
  #isEscaped = false;
  /** Bytes of the last string, while the scanner is outside the lists. */
  #string: Buffer[] = [];
  /** Name of the member whose value follows. */
  #name: string | undefined;
  /** Undefined outside the lists. */
  #parts: ListPart[] | undefined;
  #partStart = 0;
  /** Depth of nesting inside the current list. */
  #depth = 0;

  constructor(
    private readonly paths: readonly MemberPath[],
    private readonly sizes: PartSizes,
  ) {}

  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#parts ? this.#scanList(chunk, at) : this.#scanOutline(chunk, at);
    this.#offset += chunk.length;
    if (this.#parts && this.#offset - this.#partStart > this.sizes.partBytes + this.sizes.maxElementBytes)
      throw new JsonPartTooLarge();
  }

  end(): ScannedJson {
    if (this.#parts) throw new JsonTextError('is not valid JSON');
    return { outline: Buffer.concat(this.#outline).toString(), lists: this.#lists };
  }

  /** Scans up to the start of a requested list. Returns the position of the first unread byte. */
  #scanOutline(chunk: Buffer, from: number): number {
    let stringStart = this.#isString ? from : -1;
    for (let at = from; at < chunk.length; at++) {
      const code = chunk[at] as number;
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) {
          this.#isString = false;
          this.#string.push(chunk.subarray(stringStart, at));
        }
      } else if (code === QUOTE) {
        this.#isString = true;
        this.#string = [];
        stringStart = at + 1;
      } else if (code === COLON) this.#name = nameOf(this.#string);
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (this.#open(code === OPEN_BRACE)) {
          this.#keep(chunk.subarray(from, at + 1));
          this.#partStart = this.#offset + at + 1;
          return at + 1;
        }
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#levels.pop();
    }
    if (this.#isString) this.#string.push(Buffer.from(chunk.subarray(stringStart)));
    this.#keep(chunk.subarray(from));
    return chunk.length;
  }

  /** Returns whether the object or list is one of the requested lists. */
  #open(isObject: boolean): boolean {
    const around = this.#levels.at(-1);
    const path =
      around === undefined ? [] : around.path && around.isObject ? [...around.path, this.#name ?? ''] : undefined;
    if (!isObject && path && this.paths.some((searched) => isDeepStrictEqual(searched, path))) {
      // If several members have the same name, a parser would use the last of them.
      if (this.#lists.some((found) => isDeepStrictEqual(found.path, path)))
        throw new JsonTextError('contains the list of records twice');
      this.#parts = [];
      this.#lists.push({ path, parts: this.#parts });
      return true;
    }
    if (this.#levels.push({ isObject, path }) > MAX_DEPTH) throw tooDeep();
    return false;
  }

  /** Scans up to the end of the list. Returns the position after the closing bracket, or the end of the chunk. */
  #scanList(chunk: Buffer, from: number): number {
    const length = chunk.length;
    const maxDepth = MAX_DEPTH - this.#levels.length - 1;
    let depth = this.#depth;
    let at = from;
    while (at < length) {
      if (this.#isString) {
        at = this.#endOfString(chunk, at);
        continue;
      }
      const code = chunk[at++] as number;
      if (code === QUOTE) this.#isString = true;
      else if (code < COMMA) continue;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (++depth > maxDepth) throw tooDeep();
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (depth-- > 0) continue;
        if (code === CLOSE_BRACE) throw new JsonTextError('is not valid JSON');
        this.#endPart(this.#offset + at - 1);
        this.#parts = undefined;
        this.#depth = 0;
        return this.#closeList(chunk, at - 1);
      } else if (code === COMMA && depth === 0 && this.#offset + at - this.#partStart > this.sizes.partBytes)
        this.#endPart(this.#offset + at - 1);
    }
    this.#depth = depth;
    return length;
  }

  /** Returns the position after the string's closing quote, or the end of the chunk. */
  #endOfString(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (; at < chunk.length; at++) {
      const code = chunk[at];
      if (code === QUOTE) {
        this.#isString = false;
        return at + 1;
      }
      if (code === BACKSLASH) at += 1;
    }
    this.#isEscaped = at > chunk.length;
    return chunk.length;
  }

  #endPart(end: number): void {
    this.#parts?.push({ start: this.#partStart, end });
    this.#partStart = end + 1;
  }

  #closeList(chunk: Buffer, at: number): number {
    this.#keep(chunk.subarray(at, at + 1));
    return at + 1;
  }

  #keep(bytes: Buffer): void {
    this.#outlineBytes += bytes.length;
    if (this.#outlineBytes > this.sizes.maxElementBytes) throw new JsonPartTooLarge();
    this.#outline.push(Buffer.from(bytes));
  }
}

function nameOf(string: readonly Buffer[]): string {
  const text = Buffer.concat(string).toString();
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    throw new JsonTextError('is not valid JSON');
  }
}

function tooDeep(): JsonTextError {
  return new JsonTextError(`is nested more than ${MAX_DEPTH} levels deep`);
}
