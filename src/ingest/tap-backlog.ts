const MAX_BACKLOG_BYTES = 1024 ** 3;

/** The process queries the backlog again after it has added this many bytes. */
const RECHECK_BYTES = 16 * 1024 * 1024;

/** Minimum interval between queries. The interval does not become longer if the clock moves backwards. */
const RECHECK_INTERVAL_MS = 5_000;

/** Estimates the backlog of a tap, without bytes that other processes have added since the last query. */
export class TapBacklog {
  #sum = 0;
  #added = 0;
  #queriedAt = Number.NEGATIVE_INFINITY;
  #query: Promise<void> | undefined;

  constructor(
    private readonly readBytes: () => Promise<number>,
    private readonly maxBytes = MAX_BACKLOG_BYTES,
  ) {}

  async reserve(bytes: number, now = Date.now()): Promise<boolean> {
    const isDoubtful = this.#added >= RECHECK_BYTES || !this.#hasRoom(bytes);
    if (isDoubtful && Math.abs(now - this.#queriedAt) >= RECHECK_INTERVAL_MS) this.#query ??= this.#refresh(now);
    await this.#query;
    if (!this.#hasRoom(bytes)) return false;
    this.#added += bytes;
    return true;
  }

  #hasRoom(bytes: number): boolean {
    return this.#sum + this.#added + bytes <= this.maxBytes;
  }

  async #refresh(now: number): Promise<void> {
    const before = this.#added;
    try {
      this.#sum = await this.readBytes();
      this.#added -= before;
      this.#queriedAt = now;
    } finally {
      this.#query = undefined;
    }
  }
}
