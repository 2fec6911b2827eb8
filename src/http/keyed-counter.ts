/** Keys with the count 0 take no memory. */
export class KeyedCounter {
  readonly #counts = new Map<string, number>();

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
