import type { PageToken } from '../page-token.js';
import type { CompletedRecord } from '../responses/complete-record.js';

/** The records of one response, or a part of them. */
export interface PageRead {
  readonly records: readonly CompletedRecord[];
  /** Whether more records of the same response follow. If so, `next` is undefined, and `bytes` is 0. */
  readonly isPartial?: boolean;
  /** Position after the page. Undefined if the slice is complete. */
  readonly next: PageToken | undefined;
  readonly bytes: number;
  readonly receivedAt: Date;
  /** Undefined if the response does not contain a time. */
  readonly respondedAt?: Date | undefined;
}
