import type { RecordSyntax } from './record-scanner.js';

type State = 'start' | 'plain' | 'quoted' | 'escaped' | 'closing' | 'closed';

/** Finds the end of a record that is too long. Searches chunk by chunk and stores no text. */
export class RecordSkipper {
  #state: State = 'start';

  constructor(private readonly syntax: RecordSyntax) {}

  get isQuoted(): boolean {
    return this.#state === 'quoted' || this.#state === 'escaped';
  }

  /** Returns the index after the CR or LF that ends the record, or undefined if the record continues after `text`. */
  skip(text: string): number | undefined {
    const { quote } = this.syntax;
    for (let at = 0; at < text.length; at++) {
      if (this.#state === 'quoted' && this.syntax.escape !== '\\') {
        at = text.indexOf(quote as string, at);
        if (at < 0) return undefined;
      }
      const character = text[at] as string;
      const isLineEnd = character === '\n' || character === '\r';
      if (isLineEnd && !this.isQuoted) return at + 1;
      this.#state = this.#next(character);
    }
    return undefined;
  }

  #next(character: string): State {
    const { delimiter, quote, escape: escapeCharacter } = this.syntax;
    const isBlank = character === ' ' || character === '\t';
    switch (this.#state) {
      case 'escaped':
        return 'quoted';
      case 'quoted':
        if (character === quote) return 'closing';
        return character === '\\' && escapeCharacter === '\\' ? 'escaped' : 'quoted';
      case 'closing':
        if (character === delimiter) return 'start';
        return isBlank ? 'closed' : 'quoted'; // A quote before another character does not end the value.
      case 'closed':
        if (character === delimiter) return 'start';
        return isBlank ? 'closed' : 'quoted';
      case 'start':
        if (character === delimiter) return 'start';
        if (character === quote) return 'quoted';
        return isBlank ? 'start' : 'plain';
      case 'plain':
        return character === delimiter ? 'start' : 'plain';
    }
  }
}
