/** Numbers that a double cannot represent are `JSON.rawJSON` objects. */
export type VendorRecord = Readonly<Record<string, unknown>>;

export interface TapPage {
  /**
   * The document of the response. For the formats CSV and JSON Lines, the list of rows. If the service reads the body
   * part by part, the lists of records in the document are empty.
   */
  readonly document: unknown;
  readonly headers: Headers;
  /** Whether the response means that the previous page was the last page. */
  readonly isAfterLast?: boolean;
  /** The records contain no synthetic keys and no fields of the parent record yet. */
  readonly records: Pick<readonly VendorRecord[], 'length' | 'at'>;
}
