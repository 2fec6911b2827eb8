export interface SavedCursor {
  /**
   * Time of the newest record, in milliseconds since 1970. Never later than `runUntil` of the run that read the
   * record.
   */
  readonly time: number;
  /**
   * Cursors of the newest records, by a mark that identifies the version of the record. The next read returns these
   * records again, because its window includes their cursors. `CursorTracker` recognizes the records by their marks.
   */
  readonly marks: Readonly<Record<string, number>>;
}
