import type { RecordSyntax } from './record-scanner.js';

type State = 'start' | 'plain' | 'quoted' | 'escaped' | 'closing' | 'closed';

/** Goes to the end of a record that is too long to be looked at as a whole, text by text, and keeps nothing of it. */
export class RecordSkipper {
  #state: State = 'start';

  constructor(private readonly rules: RecordSyntax) {}

  /** Whether it stands between quotes. */
  get isQuoted(): boolean {
    return this.#state === 'quoted' || this.#state === 'escaped';
  }

  /** Where the record ends, behind its line end; undefined where it goes on behind the text. */
  skip(text: string): number | undefined {
    const { quote } = this.rules;
    for (let at = 0; at < text.length; at++) {
      if (this.#state === 'quoted' && this.rules.escape !== '\\') {
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
    const { delimiter, quote, escape: escaping } = this.rules;
    const isBlank = character === ' ' || character === '\t';
    switch (this.#state) {
      case 'escaped':
        return 'quoted';
      case 'quoted':
        if (character === quote) return 'closing';
        return character === '\\' && escaping === '\\' ? 'escaped' : 'quoted';
      case 'closing':
        if (character === delimiter) return 'start';
        return isBlank ? 'closed' : 'quoted'; // a doubled quote, or a stray one
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
