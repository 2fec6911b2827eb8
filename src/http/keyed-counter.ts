/** How many things of each key are open. A key with none takes no memory. */
export class KeyedCounter {
  readonly #counts = new Map<string, number>();

  /** The number that are open, this one included. */
  increment(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  decrement(key: string): void {
    const count = this.#counts.get(key) as number;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}
