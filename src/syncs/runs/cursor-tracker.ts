import { createHash } from 'node:crypto';
import type { CompletedRecord } from '../responses/complete-record.js';
import type { SavedCursor } from '../saved-cursor.js';

/**
 * Maximum number of marks to save for records that the next run reads again. That run appends a second row for each
 * record without a mark.
 */
const MAX_MARKS = 10_000;

/** 96 bits. */
const MARK_CHARACTERS = 16;

/**
 * Follows the newest cursor of a slice. Vendors include the start of a window, so a read returns the newest records of
 * the previous read again. They are recognized by key and time.
 */
export class CursorTracker {
  readonly #known: ReadonlySet<string>;
  readonly #marks: Map<string, number>;
  readonly #lookbackMs: number;
  readonly #markOf: (record: CompletedRecord) => string;
  #time: number | undefined;

  /** `before`: the saved cursor that the window starts at. `soFar`: the cursor of the pages that have been read. */
  constructor(
    private readonly until: number,
    before: SavedCursor | undefined,
    soFar: SavedCursor | undefined = before,
    { lookbackMs = 0, mark = markOf }: { lookbackMs?: number; mark?: (record: CompletedRecord) => string } = {},
  ) {
    this.#lookbackMs = lookbackMs;
    this.#markOf = mark;
    this.#known = new Set(Object.keys(before?.marks ?? {}));
    this.#marks = new Map(Object.entries(soFar?.marks ?? {}));
    this.#time = soFar?.time;
  }

  /** Returns whether an earlier run has read this version of the record. */
  observe(record: CompletedRecord): boolean {
    const { cursor } = record;
    if (cursor === undefined) return false;
    const mark = this.#markOf(record);
    // A time after the end of the run must not move the next window into the future.
    const time = Math.min(cursor, this.until);
    if (this.#time === undefined || time > this.#time) {
      this.#time = time;
      for (const [older, at] of this.#marks) if (at < time - this.#lookbackMs) this.#marks.delete(older);
    }
    if (cursor >= this.#time - this.#lookbackMs && this.#marks.size < MAX_MARKS) this.#marks.set(mark, cursor);
    return this.#known.has(mark);
  }

  /** Undefined if no record had a cursor so far. */
  result(): SavedCursor | undefined {
    return this.#time === undefined ? undefined : { time: this.#time, marks: Object.fromEntries(this.#marks) };
  }
}

function markOf({ key, cursor, record }: CompletedRecord): string {
  const text = JSON.stringify([key ?? record, cursor]);
  return createHash('sha256').update(text).digest('base64url').slice(0, MARK_CHARACTERS);
}

/** Identifies a version of a record whose cursor is not the time of its last change. */
export function contentMarkOf(record: CompletedRecord): string {
  return markOf({ ...record, key: undefined });
}

/** Identifies a version of a record. Without a cursor, only an equal record is the same version. */
export function versionMarkOf(record: CompletedRecord): string {
  return record.cursor === undefined ? contentMarkOf(record) : markOf(record);
}
