/** Bytes of a tap that may wait for their table. */
const MAX_BACKLOG_BYTES = 1024 ** 3;

/** What is added here before the sum is asked again. */
const RECHECK_BYTES = 16 * 1024 * 1024;

/** Milliseconds between two questions, whichever way the clock goes. */
const RECHECK_INTERVAL_MS = 5_000;

/** How much of a tap waits in the database, as far as it takes to bound it: each process may be wrong by what it has added since it last asked. */
export class TapBacklog {
  #sum = 0;
  #added = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(
    private readonly ask: () => Promise<number>,
    private readonly most = MAX_BACKLOG_BYTES,
  ) {}

  /** Whether there is room for so many bytes more, which count from then on. */
  async reserve(bytes: number, now = Date.now()): Promise<boolean> {
    const isDoubtful = this.#added >= RECHECK_BYTES || !this.#hasRoom(bytes);
    if (isDoubtful && Math.abs(now - this.#askedAt) >= RECHECK_INTERVAL_MS) this.#asking ??= this.#renew(now);
    await this.#asking;
    if (!this.#hasRoom(bytes)) return false;
    this.#added += bytes;
    return true;
  }

  #hasRoom(bytes: number): boolean {
    return this.#sum + this.#added + bytes <= this.most;
  }

  async #renew(now: number): Promise<void> {
    const before = this.#added;
    try {
      this.#sum = await this.ask();
      this.#added -= before;
      this.#askedAt = now;
    } finally {
      this.#asking = undefined;
    }
  }
}
