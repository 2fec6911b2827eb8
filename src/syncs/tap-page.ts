/** A JSON object of the vendor. Numbers that a double cannot represent are `JSON.rawJSON` objects. */
export type VendorRecord = Readonly<Record<string, unknown>>;

/** A response of the vendor that was read successfully, as the pagination reads it. */
export interface TapPage {
  /**
   * The parsed body, for the expressions of the pagination. For CSV and JSON lines, the list of rows. If the body was
   * read part by part, its lists of records are empty.
   */
  readonly document: unknown;
  readonly headers: Headers;
  /** Whether the response means that the previous page was the last page. */
  readonly isAfterLast?: boolean;
  /** Records as extracted, before fields of the parent and synthetic keys are added. */
  readonly records: Pick<readonly VendorRecord[], 'length' | 'at'>;
}
