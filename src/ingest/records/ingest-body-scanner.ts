import { setImmediate as breathe } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.js';

/** Records of a batch. */
const MAX_RECORDS = 10_000;

/** Characters (UTF-16 code units) of one record, as JSON without whitespace around its values. */
const MAX_RECORD_CHARACTERS = 1024 * 1024;

/** Levels of objects and arrays in a record, itself included. */
const MAX_DEPTH = 64;

/** Characters after which other requests get their turn. */
const YIELD_EVERY_CHARACTERS = 256 * 1024;

/** Pieces of a record that are joined at once. */
const MAX_UNJOINED_PIECES = 4_096;

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** What ends a value that stands in front of it, or begins one behind it. */
const PUNCTUATION = new Set([QUOTE, COLON, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]);

/**
 * Finds the records of a text, each as a line of JSON: exactly what was sent but for whitespace between values, so that no digit of a number is lost
 * and what a key is called means nothing here. Where each one ends is told by its brackets; what is between them is then parsed by itself. Throws
 * BAD_REQUEST, which names the number of the record, and PAYLOAD_TOO_LARGE, the latter before it
 * has read more than a record may have. Blanks, of which there may be any number, are passed in stretches.
 */
export class IngestBodyScanner {
  readonly lines: string[] = [];
  #at = 0;
  #breathedAt = 0;

  constructor(private readonly text: string) {}

  /** One object, or an array of objects. */
  async scanJson(): Promise<readonly string[]> {
    await this.#skipBlank();
    if (this.#code() !== OPEN_BRACKET) await this.#readRecord(this.text.length);
    else await this.#readArray();
    await this.#skipBlank();
    if (this.#at < this.text.length) throw new AppError('BAD_REQUEST', 'Something stands behind the end of the JSON.');
    return this.lines;
  }

  /** One object a line; lines without anything are left out. */
  async scanLines(): Promise<readonly string[]> {
    for (;;) {
      await this.#skipBlank(); // line ends too
      if (this.#at === this.text.length) return this.lines;
      const newline = this.text.indexOf('\n', this.#at);
      const end = newline < 0 ? this.text.length : newline;
      await this.#readRecord(end);
      await this.#skipBlank(end);
      if (this.#at < end) throw this.#fault('is not alone in its line', this.lines.length);
    }
  }

  async #readArray(): Promise<void> {
    this.#at += 1;
    await this.#skipBlank();
    if (this.#code() === CLOSE_BRACKET) {
      this.#at += 1;
      return;
    }
    for (;;) {
      await this.#skipBlank();
      await this.#readRecord(this.text.length);
      await this.#skipBlank();
      const code = this.#code();
      if (code !== COMMA && code !== CLOSE_BRACKET)
        throw this.#fault('is not followed by a comma or the end of the array', this.lines.length);
      this.#at += 1;
      if (code === CLOSE_BRACKET) return;
    }
  }

  /** From where the text is at, to `end` at the most. */
  async #readRecord(end: number): Promise<void> {
    if (this.lines.length === MAX_RECORDS)
      throw new AppError('PAYLOAD_TOO_LARGE', `A batch may have ${MAX_RECORDS} records.`);
    if (this.#code() !== OPEN_BRACE) throw this.#fault('is not a JSON object');
    const line = await this.#takeObject(end);
    try {
      JSON.parse(line);
    } catch {
      throw this.#fault('is not JSON'); // what the parser says would quote it
    }
    this.lines.push(line);
    if (this.#isLong(this.#at)) await this.#pause(this.#at);
  }

  /** To the bracket that closes the first one, without whitespace outside of strings. */
  async #takeObject(end: number): Promise<string> {
    const { text } = this;
    const line = new TextBuilder();
    let from = this.#at;
    let full = from + MAX_RECORD_CHARACTERS;
    let before = COMMA;
    let depth = 0;
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isBlank(code)) {
        if (from < at) {
          before = text.charCodeAt(at - 1);
          line.add(text.slice(from, at));
        }
        from = at + 1;
        full = from + MAX_RECORD_CHARACTERS - line.length;
        if (this.#isLong(at)) await this.#pause(at);
        continue;
      }
      if (at >= full) throw new AppError('PAYLOAD_TOO_LARGE', `A record may have ${MAX_RECORD_CHARACTERS} characters.`);
      // Without the blank between them two numbers would be one.
      if (at === from && !PUNCTUATION.has(before) && !PUNCTUATION.has(code)) throw this.#fault('is not JSON');
      if (code === QUOTE) at = endOfString(text, at + 1, Math.min(end, full));
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        depth += 1;
        if (depth > MAX_DEPTH) throw this.#fault(`has more than ${MAX_DEPTH} levels`);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        depth -= 1;
        if (depth > 0) continue;
        this.#at = at + 1;
        return line.end(text.slice(from, this.#at));
      }
    }
    throw this.#fault('is not JSON');
  }

  async #skipBlank(end = this.text.length): Promise<void> {
    for (; this.#at < end && isBlank(this.#code()); this.#at += 1)
      if (this.#isLong(this.#at)) await this.#pause(this.#at);
  }

  #code(): number {
    return this.text.charCodeAt(this.#at);
  }

  #fault(what: string, number = this.lines.length + 1): AppError {
    return new AppError('BAD_REQUEST', `Record ${number} ${what}.`);
  }

  #isLong(at: number): boolean {
    return at - this.#breathedAt >= YIELD_EVERY_CHARACTERS;
  }

  async #pause(at: number): Promise<void> {
    this.#breathedAt = at;
    await breathe();
  }
}

/** A text that is made of many short ones, which are not all kept until its end. */
class TextBuilder {
  length = 0;
  readonly #joined: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    this.length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length < MAX_UNJOINED_PIECES) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  end(last: string): string {
    return this.length === 0 ? last : [...this.#joined, ...this.#pieces, last].join('');
  }
}

/** Where the quote is that ends a string, or `end`. */
function endOfString(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return end;
}

/** What RFC 8259 calls whitespace. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
