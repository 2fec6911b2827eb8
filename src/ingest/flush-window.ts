import { randomUUID } from 'node:crypto';

/** Bytes that wait, as far as this process knows, after which they land at once. */
const FLUSH_NOW_BYTES = 16 * 1024 * 1024;

/** When what comes in for a tap is to land, and the key of the job that does it. */
export interface FlushSchedule {
  readonly key: string;
  readonly startAfter: Date | 0;
}

/**
 * Batches of a tap that this process takes until they are due land by one job. Its key is known to nobody else, and once the job is due no transaction
 * touches it any more: neither do processes wait for each other on its row, nor does a tap that is always busy keep it from being started.
 */
export class FlushWindow {
  #key = '';
  #dueAt = 0;
  #bytes = 0;

  constructor(private readonly flushSeconds: number) {}

  /** For batches of so many bytes together, whose transaction is about to be committed. */
  add(bytes: number, now = Date.now()): FlushSchedule {
    const flush = this.flushSeconds * 1_000;
    if (now >= this.#dueAt || now < this.#dueAt - flush) {
      // the clock may have been put back
      this.#key = randomUUID();
      this.#dueAt = now + flush;
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    const isEnough = this.#bytes >= FLUSH_NOW_BYTES;
    const landing = { key: this.#key, startAfter: isEnough ? (0 as const) : new Date(this.#dueAt) };
    if (isEnough) this.#dueAt = 0;
    return landing;
  }

  /** Nothing that comes in from now on could join the job. */
  isOver(now = Date.now()): boolean {
    return now >= this.#dueAt;
  }
}
