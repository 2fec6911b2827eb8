export interface SavedCursor {
  /** Time of the newest record, in milliseconds since 1970. Never after the end of the run that read the record. */
  readonly time: number;
  /**
   * Cursors of the newest records, by a hash of key and cursor. The next read returns these records again, because its
   * window includes their cursors. `CursorTracker` recognizes them by these marks.
   */
  readonly marks: Readonly<Record<string, number>>;
}
