import type { InvalidCharacter, TextBlock } from './block-decoder.js';

/** Invalid characters that the reader of a file has not yet passed, in the order of the text. */
export class InvalidCharacters {
  #characters: InvalidCharacter[] = [];
  #next = 0;

  /** `start` is the position of the block in the text of the file, in characters. */
  add({ invalidCharacters }: TextBlock, start: number): void {
    this.#characters = this.#characters.slice(this.#next);
    this.#next = 0;
    for (const character of invalidCharacters) this.#characters.push({ ...character, index: start + character.index });
  }

  clear(): void {
    [this.#characters, this.#next] = [[], 0];
  }

  /**
   * Returns the first invalid character at or after `start` and before `end`. Drops the invalid characters before
   * `start`.
   */
  firstWithin(start: number, end: number): InvalidCharacter | undefined {
    while ((this.#characters[this.#next]?.index ?? Infinity) < start) this.#next++;
    const character = this.#characters[this.#next];
    return character && character.index < end ? character : undefined;
  }
}
