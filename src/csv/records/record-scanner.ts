import { MAX_COLUMNS, MAX_RECORD_CHARACTERS } from '../model/csv-limits.js';
import type { Dialect } from '../model/data-schema.js';
import { isBackslashed, unescapeValue } from './escapes.js';

export type RecordSyntax = Pick<Dialect, 'delimiter' | 'quote' | 'escape' | 'comment' | 'skipInitialSpace'>;

/** The reason why the scanner stopped: an unclosed quote, too many values or too many characters. */
export type ScanError = 'open quote' | 'too wide' | 'too long';

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32] as const;

/**
 * Splits a text into records. Each call of `next` returns one record. Accepts LF, CR LF and CR in any mixture, and
 * ignores blank lines and comments. A value is quoted if it starts with a quote, and a delimiter or a line end follows
 * the closing quote. Ignores blanks around the quotes. All other quotes are part of the text. Runs in linear time for
 * any input, because every search continues where the last search of its kind ended.
 */
export class RecordScanner {
  /** Start and line number of the last record. Line numbers start at 1. */
  start = 0;
  line = 1;
  /** Number of the line after the last record. Blank lines or comments can precede the next record. */
  nextLine: number;
  /** Number of quoted values so far. */
  quoted = 0;
  error: ScanError | undefined;
  /** Start of the unread text: the end of the last record, or the end of an invalid record if that end is known. */
  rest = 0;
  restLine: number;
  private valueEnd = 0;
  private delimiterAt = -1;
  private quoteAt = -1;
  private lineFeedAt = -1;
  private carriageReturnAt = -1;
  /** Before this index, no closing quote follows a stray quote (a quote inside a value). */
  private noCloseBefore = -1;
  private end: number;
  private hasMore = false;
  /**
   * Whether the previous text ended with a CR, so that a line feed at the start of this text belongs to the same line
   * end.
   */
  isAfterCarriageReturn = false;
  private readonly delimiterCode: number;

  /** `position` is the start of line `line`. Unless `isWhole`, the scanner omits a last record without a line end. */
  constructor(
    private text: string,
    private readonly syntax: RecordSyntax,
    private isWhole: boolean,
    private position = 0,
    line = 1,
  ) {
    this.end = text.length;
    this.nextLine = line;
    this.restLine = line;
    this.delimiterCode = syntax.delimiter.charCodeAt(0);
    if (syntax.quote === null) this.quoteAt = this.end;
  }

  /**
   * Continues with `text`, which is the previous text from index `from`, followed by more text. `from` must be `rest`
   * or the start of another line. With `hasMore`, the scanner returns no record that more text could change, so the
   * records are the same as for the joined text. If `from` is not `rest`, the caller must set `restLine` first.
   */
  moveTo(text: string, from: number, { hasMore }: { hasMore: boolean }): void {
    if (from > 0) this.isAfterCarriageReturn = this.text.charCodeAt(from - 1) === CARRIAGE_RETURN;
    this.nextLine = this.restLine;
    this.text = text;
    this.end = text.length;
    this.isWhole = !hasMore;
    this.hasMore = hasMore;
    this.error = undefined;
    this.position = 0;
    this.rest = 0;
    this.noCloseBefore -= from;
    this.delimiterAt = this.lineFeedAt = this.carriageReturnAt = -1;
    this.quoteAt = this.syntax.quote === null ? this.end : -1;
  }

  /** Returns the values of the next record. Returns undefined at the end and after an `error`. */
  next(): string[] | undefined {
    for (;;) {
      this.skipBlankAndCommentLines();
      if (this.position >= this.end || this.error) return undefined;
      const start = this.position;
      this.start = start;
      this.line = this.nextLine;
      const values = this.scanRecord();
      if (values) this.endAt(this.position);
      if (!this.error && this.position - start > MAX_RECORD_CHARACTERS) this.error = 'too long';
      if (this.error || !values) return undefined;
      const [only = ''] = values;
      // The scanner ignores a line of blanks, but not a line with an empty quoted value.
      if (values.length > 1 || only.trim() !== '' || this.text.slice(start, this.position).trim() !== '') return values;
    }
  }

  private endAt(position: number): void {
    this.rest = position;
    this.restLine = this.nextLine;
  }

  private skipBlankAndCommentLines(): void {
    const { text, end } = this;
    const { comment } = this.syntax;
    for (;;) {
      this.endAt(this.position);
      const code = text.charCodeAt(this.position);
      if (code === LINE_FEED && this.position === 0 && this.isAfterCarriageReturn) this.position = 1;
      else if (code === LINE_FEED || code === CARRIAGE_RETURN) this.endLine(this.position);
      else if (comment !== null && this.position < end && text.startsWith(comment, this.position)) {
        const lineEnd = this.lineEndFrom(this.position);
        if (lineEnd >= end && !this.isWhole) {
          this.position = end; // The rest of the comment follows in another part of the text.
          return;
        }
        this.endLine(lineEnd);
      } else return;
    }
  }

  private scanRecord(): string[] | undefined {
    const { text, end, delimiterCode } = this;
    const values: string[] = [];
    let isTooWide = false;
    let position = this.valueStart(this.position);
    for (;;) {
      let valueEnd = this.lineEndFrom(position);
      if (this.delimiterFrom(position) < valueEnd) valueEnd = this.delimiterAt;
      if (this.quoteFrom(position) < valueEnd && this.opensAt(position)) {
        const value = this.scanQuoted(position);
        if (value === undefined) return undefined;
        values.push(value);
        valueEnd = this.valueEnd;
      } else values.push(text.slice(position, valueEnd));
      if (values.length > MAX_COLUMNS) {
        isTooWide = true;
        values.pop();
      }
      if (valueEnd < end && text.charCodeAt(valueEnd) === delimiterCode) {
        position = this.valueStart(valueEnd + 1);
        if (!this.syntax.skipInitialSpace || delimiterCode !== SPACE || !this.endsValue(position)) continue;
        valueEnd = position; // Blanks at the line end are not delimiters.
      }
      const isCut = valueEnd >= end && !this.isWhole;
      if (isTooWide && !(isCut && this.hasMore)) this.error = 'too wide';
      else if (isCut && end - this.position > MAX_RECORD_CHARACTERS) this.error = 'too long';
      this.endLine(valueEnd);
      return isCut ? undefined : values;
    }
  }

  /** With `skipInitialSpace`, skips the blanks at `position`. */
  private valueStart(position: number): number {
    if (!this.syntax.skipInitialSpace) return position;
    let at = position;
    while (this.text.charCodeAt(at) === SPACE) at++;
    return at;
  }

  private opensAt(position: number): boolean {
    if (position === this.quoteAt) return true;
    return this.skipBlanks(position) === this.quoteAt;
  }

  /** Scans the quoted value that starts at the next quote. Returns undefined if the record has no closing quote. */
  private scanQuoted(position: number): string | undefined {
    const { text, end } = this;
    const quote = this.syntax.quote ?? '';
    const isBackslash = this.syntax.escape === '\\';
    const open = this.quoteAt;
    const limit = this.position + MAX_RECORD_CHARACTERS;
    let stray = -1;
    let strayLineEnd = end;
    let isEscaped = false;
    let from = open + 1;
    for (;;) {
      const close = this.find(quote, from);
      if (from - this.position > MAX_RECORD_CHARACTERS) {
        this.error = 'too long';
        return undefined;
      }
      if (stray >= 0 && (close >= strayLineEnd || stray < this.noCloseBefore)) {
        const isLineCut = strayLineEnd > limit || (strayLineEnd >= end && this.hasMore);
        if (isLineCut && stray >= this.noCloseBefore) return this.endUnclosedQuote(position, open, close);
        this.noCloseBefore = Math.max(this.noCloseBefore, strayLineEnd);
        return this.takeUnquoted(position, stray);
      }
      if (close >= end || close > limit) return this.endUnclosedQuote(position, open, close);
      if (isBackslash && isBackslashed(text, open, close)) {
        isEscaped = true;
        from = close + 1;
        continue;
      }
      if (close + 1 < end && text[close + 1] === quote) {
        isEscaped = true;
        from = close + 2;
        continue;
      }
      const afterBlanks = this.skipBlanks(close + 1);
      if (this.endsValue(afterBlanks)) {
        this.valueEnd = afterBlanks;
        this.quoted++;
        this.countLines(open, close);
        const value = text.slice(open + 1, close);
        return isEscaped || isBackslash ? unescapeValue(value, quote, isBackslash) : value;
      }
      if (stray < 0) {
        stray = close;
        strayLineEnd = this.plainLineEnd(close);
      }
      from = close + 1;
    }
  }

  /**
   * Scans a value as plain text, because no quote in its line closes it. `stray` is the index of the first quote that
   * follows the opening quote and does not close the value. If `stray` is in the line, delimiters before it are part of
   * the value.
   */
  private takeUnquoted(position: number, stray: number): string {
    const lineEnd = this.lineEndFrom(position);
    this.valueEnd = Math.min(this.delimiterFrom(stray < lineEnd ? stray : position), lineEnd);
    return this.text.slice(position, this.valueEnd);
  }

  /** `close` is the index of a quote beyond `MAX_RECORD_CHARACTERS`, or the end of the text. */
  private endUnclosedQuote(position: number, open: number, close: number): string | undefined {
    const isTooFar = this.end - this.position > MAX_RECORD_CHARACTERS;
    if (open > position && (isTooFar || !this.hasMore)) {
      this.valueEnd = Math.min(this.delimiterFrom(position), this.lineEndFrom(position));
      return this.text.slice(position, this.valueEnd);
    }
    if (this.isWhole || isTooFar) this.error = close < this.end ? 'too long' : 'open quote';
    this.position = this.end;
    return undefined;
  }

  private endsValue(position: number): boolean {
    if (position >= this.end) return true;
    const code = this.text.charCodeAt(position);
    return code === this.delimiterCode || code === LINE_FEED || code === CARRIAGE_RETURN;
  }

  private skipBlanks(position: number): number {
    const { text, delimiterCode } = this;
    for (let at = position; ; at++) {
      const code = text.charCodeAt(at);
      if ((code !== SPACE && code !== TAB) || code === delimiterCode) return at;
    }
  }

  private delimiterFrom(position: number): number {
    if (this.delimiterAt < position) this.delimiterAt = this.find(this.syntax.delimiter, position);
    return this.delimiterAt;
  }

  private quoteFrom(position: number): number {
    if (this.quoteAt < position) this.quoteAt = this.find(this.syntax.quote ?? '', position);
    return this.quoteAt;
  }

  private lineEndFrom(position: number): number {
    if (this.lineFeedAt < position) this.lineFeedAt = this.find('\n', position);
    if (this.carriageReturnAt < position) this.carriageReturnAt = this.find('\r', position);
    return this.lineFeedAt < this.carriageReturnAt ? this.lineFeedAt : this.carriageReturnAt;
  }

  /**
   * Returns the end of the line. Does not change `lineFeedAt` and `carriageReturnAt`, because `countLines` still needs
   * the earlier line ends.
   */
  private plainLineEnd(position: number): number {
    const lineFeed = this.lineFeedAt >= position ? this.lineFeedAt : this.find('\n', position);
    const carriageReturn = this.carriageReturnAt >= position ? this.carriageReturnAt : this.find('\r', position);
    return Math.min(lineFeed, carriageReturn);
  }

  private countLines(from: number, to: number): void {
    for (let at = this.lineEndFrom(from); at < to; at = this.lineEndFrom(this.afterLineEnd(at))) this.nextLine++;
  }

  private endLine(lineEnd: number): void {
    this.position = this.afterLineEnd(lineEnd);
    this.nextLine++;
  }

  private afterLineEnd(lineEnd: number): number {
    return lineEnd + (this.text.startsWith('\r\n', lineEnd) ? 2 : 1);
  }

  private find(searched: string, from: number): number {
    const at = this.text.indexOf(searched, from);
    return at < 0 ? this.end : at;
  }
}
