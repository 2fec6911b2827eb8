/** The point up to which an incremental tap was read. */
export interface SavedCursor {
  /** Time of the newest record, in milliseconds since 1970. Never after the end of the run that read it. */
  readonly time: number;
  /** Cursors of the records at or after `time`, which the next read returns again, by digest of key and cursor. */
  readonly marks: Readonly<Record<string, number>>;
}
