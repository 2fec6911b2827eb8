import { randomUUID } from 'node:crypto';

const FLUSH_NOW_BYTES = 16 * 1024 * 1024;

export interface FlushSchedule {
  readonly key: string;
  readonly startAfter: Date | 0;
}

/**
 * Groups the batches of a tap that this process receives within `flushSeconds` into one job. The job key is unique to
 * this process and window, so processes do not compete for the lock on a job's row. No transaction locks the row of a
 * due job, so constant traffic cannot delay its start.
 */
export class FlushWindow {
  #key = '';
  #dueAt = 0;
  #bytes = 0;

  constructor(private readonly flushSeconds: number) {}

  /**
   * `bytes` is the total size of the batches that the caller is about to commit. Returns the key and the start time of
   * the job that loads them.
   */
  add(bytes: number, now = Date.now()): FlushSchedule {
    const flush = this.flushSeconds * 1_000;
    if (now >= this.#dueAt || now < this.#dueAt - flush) {
      // The second condition is true if the clock has moved backwards.
      this.#key = randomUUID();
      this.#dueAt = now + flush;
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    const isEnough = this.#bytes >= FLUSH_NOW_BYTES;
    const schedule = { key: this.#key, startAfter: isEnough ? (0 as const) : new Date(this.#dueAt) };
    if (isEnough) this.#dueAt = 0;
    return schedule;
  }

  isOver(now = Date.now()): boolean {
    return now >= this.#dueAt;
  }
}
