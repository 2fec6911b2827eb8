/** Counts the requests of each key in the current second. */
export class RequestWindow {
  #second = 0;
  readonly #counts = new Map<string, number>();

  constructor(private readonly limit: number) {}

  admits(key: string, now = Date.now()): boolean {
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) this.#counts.clear();
    this.#second = second;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.limit;
  }
}
