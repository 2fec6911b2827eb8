import type { InvalidCharacter, TextBlock } from './block-decoder.js';

/** Invalid characters of a file, in the order of the text. Drops the characters that a reader has passed. */
export class InvalidCharacters {
  #characters: InvalidCharacter[] = [];
  /** Index of the first character that the reader has not passed. */
  #next = 0;

  /** Adds the invalid characters of a block. The text of the block starts at `start`. */
  add({ invalidCharacters }: TextBlock, start: number): void {
    this.#characters = this.#characters.slice(this.#next);
    this.#next = 0;
    for (const character of invalidCharacters) this.#characters.push({ ...character, index: start + character.index });
  }

  /** Drops all characters that were added. */
  clear(): void {
    [this.#characters, this.#next] = [[], 0];
  }

  /** Returns the first character at or after `start` and before `end`. Drops the characters before `start`. */
  firstWithin(start: number, end: number): InvalidCharacter | undefined {
    while ((this.#characters[this.#next]?.index ?? Infinity) < start) this.#next++;
    const character = this.#characters[this.#next];
    return character && character.index < end ? character : undefined;
  }
}
