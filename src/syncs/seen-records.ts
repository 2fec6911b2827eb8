/** Maps the hash of each record version to its cursor, in milliseconds since 1970. Null without a cursor. */
type Marks = Readonly<Record<string, number | null>>;

/** Maximum per slice. If the run reads the slice again, it stores all records beyond this number again. */
const MAX_RECORDS = 50_000;

/**
 * Identifies the stored records of a slice, so that the run does not store these records again if it reads the slice
 * again.
 */
export class SeenRecords {
  readonly #cursors: Map<string, number | null>;

  constructor(saved: Marks = {}) {
    this.#cursors = new Map(Object.entries(saved));
  }

  /** Returns whether the record is new. */
  add(mark: string, cursor: number | undefined): boolean {
    if (this.#cursors.has(mark)) return false;
    if (this.#cursors.size < MAX_RECORDS) this.#cursors.set(mark, cursor ?? null);
    return true;
  }

  /** For slices whose remaining pages contain no records before `time`. */
  forgetBefore(time: number): void {
    for (const [mark, cursor] of this.#cursors) if (cursor !== null && cursor < time) this.#cursors.delete(mark);
  }

  /** For slices whose remaining pages contain no records after `time`. */
  forgetAfter(time: number): void {
    for (const [mark, cursor] of this.#cursors) if (cursor !== null && cursor > time) this.#cursors.delete(mark);
  }

  toJSON(): Marks {
    return Object.fromEntries(this.#cursors);
  }
}
