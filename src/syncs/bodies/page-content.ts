import type { VendorRecord } from '../tap-page.js';

export interface PageContent {
  /**
   * The parsed body, for the expressions of the pagination. In a body that is read part by part, its lists are empty.
   */
  readonly document: unknown;
  /** The records. Can be read once. Throws a contract error, and `FileStoreError`. */
  readonly records: AsyncIterable<readonly VendorRecord[]>;
}
