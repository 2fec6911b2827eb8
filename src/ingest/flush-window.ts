import { randomUUID } from 'node:crypto';

/** Once the window has this many bytes, the job starts immediately. */
const FLUSH_NOW_BYTES = 16 * 1024 * 1024;

/** Key and start time of the flush job. */
export interface FlushSchedule {
  readonly key: string;
  readonly startAfter: Date | 0;
}

/**
 * Groups the batches of a tap that this process receives within `flushSeconds` into one job. The job key is unique to
 * this process and window. Processes therefore never contend for the job row. No transaction locks the row of a due
 * job, so constant traffic cannot delay its start.
 */
export class FlushWindow {
  #key = '';
  #dueAt = 0;
  #bytes = 0;

  constructor(private readonly flushSeconds: number) {}

  /** Adds the bytes of batches that the caller is about to commit. */
  add(bytes: number, now = Date.now()): FlushSchedule {
    const flush = this.flushSeconds * 1_000;
    if (now >= this.#dueAt || now < this.#dueAt - flush) {
      // the second condition is true if the clock moved backwards
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

  /** Whether the job is due, so that new batches need a new job. */
  isOver(now = Date.now()): boolean {
    return now >= this.#dueAt;
  }
}
