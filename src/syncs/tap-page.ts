/** A JSON object of the vendor. Numbers that a double cannot represent are `JSON.rawJSON` objects. */
export type VendorRecord = Readonly<Record<string, unknown>>;

/** A response of the vendor that was read successfully. */
export interface TapPage {
  /** The parsed body, for the expressions of the pagination. For CSV and JSON lines, the list of rows. */
  readonly document: unknown;
  readonly headers: Headers;
  /** Records as extracted, before fields of the parent and synthetic keys are added. */
  readonly records: readonly VendorRecord[];
}
