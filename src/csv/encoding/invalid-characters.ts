import type { InvalidCharacter, TextBlock } from './block-decoder.js';

/** Invalid characters of a file, in the order of their positions in its text. Holds those that are not passed yet. */
export class InvalidCharacters {
  #characters: InvalidCharacter[] = [];
  /** The characters before this index were passed. */
  #next = 0;

  /** Adds the invalid characters of a block. Its text starts at `start`. */
  add({ invalidCharacters }: TextBlock, start: number): void {
    this.#characters = this.#characters.slice(this.#next);
    this.#next = 0;
    for (const character of invalidCharacters) this.#characters.push({ ...character, index: start + character.index });
  }

  /** Passes all characters that were added. */
  clear(): void {
    [this.#characters, this.#next] = [[], 0];
  }

  /** The first character from `start` to `end`. Passes the characters before `start`. */
  firstWithin(start: number, end: number): InvalidCharacter | undefined {
    while ((this.#characters[this.#next]?.index ?? Infinity) < start) this.#next++;
    const character = this.#characters[this.#next];
    return character && character.index < end ? character : undefined;
  }
}
