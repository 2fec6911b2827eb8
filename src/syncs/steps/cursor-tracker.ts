import { createHash } from 'node:crypto';
import type { CompletedRecord } from '../responses/complete-record.js';
import type { SavedCursor } from '../saved-cursor.js';

/**
 * A mark identifies a version of a record that is already in the table. A record without a mark gets a second row if
 * the next run reads the record again.
 */
const MAX_MARKS = 10_000;

/** 96 bits in base64. */
const MARK_CHARACTERS = 16;

/** 48 bits in base64. If the ids of two records collide, each run stores both records again. */
const RECORD_ID_CHARACTERS = 8;

/**
 * A time window includes its start, so a read returns the newest records of the previous read again. The tracker
 * recognizes these records by their marks.
 */
export class CursorTracker {
  /** Marks by `recordIdOf`, so that the mark of a newer version of a record replaces the older mark. */
  readonly #known: Map<string, string>;
  readonly #marks: Map<string, { readonly mark: string; readonly at: number }>;
  readonly #lookbackMs: number;
  readonly #markOf: (record: CompletedRecord) => string;
  #time: number | undefined;

  /**
   * `before` is the saved cursor at which the window starts. `soFar` is the cursor of the pages that the run has read.
   */
  constructor(
    private readonly until: number,
    before: SavedCursor | undefined,
    soFar: SavedCursor | undefined = before,
    { lookbackMs = 0, mark = keyMarkOf }: { lookbackMs?: number; mark?: (record: CompletedRecord) => string } = {},
  ) {
    this.#lookbackMs = lookbackMs;
    this.#markOf = mark;
    const [known, marks] = [before, soFar].map((cursor) => Object.entries(cursor?.marks ?? {}));
    this.#known = new Map(known?.map(([mark]) => [recordIdOf(mark), mark]));
    this.#marks = new Map(marks?.map(([mark, at]) => [recordIdOf(mark), { mark, at }]));
    this.#time = soFar?.time;
    for (const [id, { mark }] of this.#marks) if (this.#known.get(id) !== mark) this.#known.delete(id);
  }

  /** Returns whether an earlier run has read this version of the record. */
  observe(record: CompletedRecord): boolean {
    const { cursor } = record;
    if (cursor === undefined) return false;
    const mark = this.#markOf(record);
    const id = recordIdOf(mark);
    const isKnown = this.#known.get(id) === mark;
    if (!isKnown) this.#known.delete(id); // A later return to the known content is also a change.
    this.#marks.delete(id);
    // A time later than `until` must not move the next window into the future.
    const time = Math.min(cursor, this.until);
    if (this.#time === undefined || time > this.#time) {
      this.#time = time;
      for (const [older, { at }] of this.#marks) if (at < time - this.#lookbackMs) this.#marks.delete(older);
    }
    if (cursor >= this.#time - this.#lookbackMs && this.#marks.size < MAX_MARKS)
      this.#marks.set(id, { mark, at: cursor });
    return isKnown;
  }

  /** Returns undefined if neither the constructor nor a record provided a cursor. */
  result(): SavedCursor | undefined {
    if (this.#time === undefined) return undefined;
    const marks = [...this.#marks.values()].map(({ mark, at }) => [mark, at] as const);
    return { time: this.#time, marks: Object.fromEntries(marks) };
  }
}

/**
 * Returns the record id of a mark from `recordMarkOf`. Returns other marks unchanged, because they contain no record
 * id.
 */
function recordIdOf(mark: string): string {
  return mark.split('.', 1)[0] as string;
}

function markOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, MARK_CHARACTERS);
}

function keyMarkOf({ key, cursor, record }: CompletedRecord): string {
  return markOf(key ?? record, cursor);
}

function contentMarkOf({ cursor, record }: CompletedRecord): string {
  return markOf(record, cursor);
}

/**
 * Returns an id of the record and, after a dot, a mark of its content. The tracker uses this mark if the cursor is not
 * the time of the last change.
 */
export function recordMarkOf(record: CompletedRecord): string {
  return `${markOf(record.key ?? record.record).slice(0, RECORD_ID_CHARACTERS)}.${contentMarkOf(record)}`;
}

/** Without a cursor, only a record with equal values is the same version. */
export function versionMarkOf(record: CompletedRecord): string {
  return record.cursor === undefined ? contentMarkOf(record) : keyMarkOf(record);
}
