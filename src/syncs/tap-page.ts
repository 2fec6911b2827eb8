/** Numbers that a double cannot represent are `JSON.rawJSON` objects. */
export type VendorRecord = Readonly<Record<string, unknown>>;

export interface TapPage {
  /**
   * For CSV and JSON lines, the list of rows. If the service has parsed the body in parts, its lists of records are
   * empty.
   */
  readonly document: unknown;
  readonly headers: Headers;
  /** Whether the response means that the previous page was the last page. */
  readonly isAfterLast?: boolean;
  /** Without fields of the parent and synthetic keys. */
  readonly records: Pick<readonly VendorRecord[], 'length' | 'at'>;
}
