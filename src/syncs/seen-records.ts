/** Cursors in milliseconds since 1970, by a hash of a record version. Null without a cursor. */
type Marks = Readonly<Record<string, number | null>>;

/** If the run reads the slice again, it stores the records beyond this number again. */
const MAX_RECORDS = 50_000;

/** The records of a slice that the run has already stored, but may read again. */
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
