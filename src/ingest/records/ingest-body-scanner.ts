import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.js';

const MAX_RECORDS = 10_000;

/** In UTF-16 code units, without whitespace between JSON values. */
const MAX_RECORD_CHARACTERS = 1024 * 1024;

/** Maximum nesting of objects and arrays. The record itself counts as one level. */
const MAX_DEPTH = 64;

const YIELD_EVERY_CHARACTERS = 256 * 1024;

/** `TextBuilder` joins this number of pieces of text into one, to limit their number in memory. */
const MAX_UNJOINED_PIECES = 4_096;

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The scanner may remove whitespace next to these characters. Elsewhere, the removal would join two values. */
const PUNCTUATION = new Set([QUOTE, COLON, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE]);

/**
 * Each record becomes a line: the sender's JSON text without whitespace between values. In this text, numbers keep all
 * digits, and keys such as `__proto__` have no special meaning. Throws BAD_REQUEST with the number of the invalid
 * record, and PAYLOAD_TOO_LARGE as soon as a limit is exceeded. Yields to the event loop even within whitespace, whose
 * length is unlimited.
 */
export class IngestBodyScanner {
  readonly lines: string[] = [];
  #at = 0;
  #yieldedAt = 0;

  constructor(private readonly text: string) {}

  async scanJson(): Promise<readonly string[]> {
    await this.#skipBlank();
    if (this.#code() !== OPEN_BRACKET) await this.#readRecord(this.text.length);
    else await this.#readArray();
    await this.#skipBlank();
    if (this.#at < this.text.length)
      throw new AppError('BAD_REQUEST', 'The body has further content after the JSON value.');
    return this.lines;
  }

  async scanLines(): Promise<readonly string[]> {
    for (;;) {
      await this.#skipBlank(); // Skips the line ends as well.
      if (this.#at === this.text.length) return this.lines;
      const newline = this.text.indexOf('\n', this.#at);
      const end = newline < 0 ? this.text.length : newline;
      await this.#readRecord(end);
      await this.#skipBlank(end);
      if (this.#at < end) throw this.#fault('is followed by other content on its line', this.lines.length);
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

  async #readRecord(end: number): Promise<void> {
    if (this.lines.length === MAX_RECORDS)
      throw new AppError('PAYLOAD_TOO_LARGE', `The body has more than the maximum of ${MAX_RECORDS} records.`);
    if (this.#code() !== OPEN_BRACE) throw this.#fault('is not a JSON object');
    const line = await this.#takeObject(end);
    try {
      JSON.parse(line);
    } catch {
      throw this.#fault('is not valid JSON'); // The message of the parser would quote the record.
    }
    this.lines.push(line);
    if (this.#shouldYield(this.#at)) await this.#pause(this.#at);
  }

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
        if (this.#shouldYield(at)) await this.#pause(at);
        continue;
      }
      if (at >= full) throw this.#tooLong();
      // The scanner removes whitespace, so `1 2` would become the valid number `12`.
      if (at === from && !PUNCTUATION.has(before) && !PUNCTUATION.has(code)) throw this.#fault('is not valid JSON');
      if (code === QUOTE) at = endOfString(text, at + 1, Math.min(end, full));
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        depth += 1;
        if (depth > MAX_DEPTH) throw this.#fault(`is nested more than ${MAX_DEPTH} levels deep`);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        depth -= 1;
        if (depth > 0) continue;
        this.#at = at + 1;
        return line.end(text.slice(from, this.#at));
      }
    }
    throw this.#fault('is not valid JSON');
  }

  async #skipBlank(end = this.text.length): Promise<void> {
    for (; this.#at < end && isBlank(this.#code()); this.#at += 1)
      if (this.#shouldYield(this.#at)) await this.#pause(this.#at);
  }

  #code(): number {
    return this.text.charCodeAt(this.#at);
  }

  #fault(problem: string, number = this.lines.length + 1): AppError {
    return new AppError('BAD_REQUEST', `Record ${number} ${problem}.`);
  }

  #tooLong(): AppError {
    const number = this.lines.length + 1;
    return new AppError(
      'PAYLOAD_TOO_LARGE',
      `Record ${number} has more than the maximum of ${MAX_RECORD_CHARACTERS.toLocaleString('en')} characters.`,
    );
  }

  #shouldYield(at: number): boolean {
    return at - this.#yieldedAt >= YIELD_EVERY_CHARACTERS;
  }

  async #pause(at: number): Promise<void> {
    this.#yieldedAt = at;
    await yieldToEventLoop();
  }
}

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

function endOfString(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return end;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
