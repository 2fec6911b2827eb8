import type { VendorRecord } from '../tap-page.js';

export interface PageContent {
  /**
   * For the expressions of the pagination. If the service reads the body part by part, the lists of records are empty.
   */
  readonly document: unknown;
  /** Can be read once. Throws `TapReadError` with class `contract` and `FileStoreError`. */
  readonly records: AsyncIterable<readonly VendorRecord[]>;
}
