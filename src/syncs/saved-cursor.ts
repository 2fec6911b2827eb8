/** The point up to which the service has read an incremental tap. */
export interface SavedCursor {
  /** Time of the newest record, in milliseconds since 1970. Never after the end of the run that read the record. */
  readonly time: number;
  /**
   * Cursors of the newest records, by digest of key and cursor. The window of the next read includes these cursors. The
   * next read therefore returns the records again.
   */
  readonly marks: Readonly<Record<string, number>>;
}
