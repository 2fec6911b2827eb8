/** The point up to which the service has read an incremental tap. */
export interface SavedCursor {
  /** Time of the newest record, in milliseconds since 1970. Never after the end of the run that read the record. */
  readonly time: number;
  /**
   * Cursors of the records at or after `time`, by digest of key and cursor. The next read returns these records again.
   */
  readonly marks: Readonly<Record<string, number>>;
}
