import type { VendorRecord } from '../tap-page.js';

export interface PageContent {
  /**
   * The document of the response, for the expressions of the pagination. If the service reads the body part by part,
   * the lists of records in the document are empty.
   */
  readonly document: unknown;
  /** Can be read once. Throws `FileStoreError`, and `TapReadError` with class `contract`. */
  readonly records: AsyncIterable<readonly VendorRecord[]>;
}
