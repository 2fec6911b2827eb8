import type { PageTrail } from './page-trail.js';
import type { SeenRecords } from './seen-records.js';

/**
 * Position of the next page of a slice. The database stores it as JSON between steps. The first request of a slice has
 * no token. The pagination style of the tap determines which properties are set.
 */
export interface PageToken {
  /** Index of the transport option. Undefined for the preferred option. */
  readonly option?: number;
  /**
   * Address of the page, as the vendor returned it: an absolute URL, a path below the base URL, or a query string.
   */
  readonly url?: string;
  /** Cursor that the vendor returned. The next request contains the cursor unchanged. */
  readonly cursor?: unknown;
  /** Number of records before the page. */
  readonly offset?: number;
  readonly page?: number;
  /** Number of the first page. Only for `page_number` and `session_page`. */
  readonly firstPage?: number;
  /** Number of pages according to the first response. Only for `session_page`. */
  readonly totalPages?: number;
  /** Id of the result that the vendor stores. Only for `session_page`. */
  readonly sessionId?: string;
  /** Value of `keyField` (see `PaginationRestart`) in the last record before the query restarted. */
  readonly restartAfter?: unknown;
  /** Number of records that the run has read since the query started or restarted. */
  readonly records?: number;
  /** If the run has divided the time window, the end of the current part, in milliseconds since 1970. */
  readonly windowEnd?: number;
  /**
   * Records that the run has read in the slice. Only for slices that the run may read again from their start, and for
   * slices with the newest records first.
   */
  readonly seen?: SeenRecords;
  /** Earlier pages, for the detection of a repeated page. Undefined before the first page with records. */
  readonly trail?: PageTrail;
  /** Number of times that the read has started again at the first page. */
  readonly resets?: number;
  readonly query?: AsyncQueryToken;
  /**
   * Set if one request cannot contain all fields: one position per list of fields. Of the other properties, only
   * `option`, `records`, `seen` and `windowEnd` can then be set.
   */
  readonly fieldLists?: { readonly lists: readonly FieldListToken[] } & Partial<MergedRecords>;
}

export interface FieldListToken {
  readonly fieldNames: readonly string[];
  /** Position of the next page with these fields. Undefined before the first page and after the last page. */
  readonly position?: PageToken;
  readonly isDone?: boolean;
}

export interface AsyncQueryToken {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly isFinished: boolean;
  /** URLs of result files that the run has not read yet. */
  readonly files?: readonly string[];
}

/** The merged records of several lists of fields. */
export interface MergedRecords {
  /** Number of records for which the run has read all lists of fields. */
  readonly complete: number;
  /** Number of records that the run has dropped, because some lists did not return them. */
  readonly dropped: number;
  readonly waiting?: readonly WaitingRecord[];
}

/** A record for which the run has read only some lists of fields. */
export interface WaitingRecord {
  /** The record as JSON text, so that numbers keep all digits. */
  readonly record: string;
  readonly key: string;
  readonly cursor?: number | undefined;
  /** Indexes of the lists of fields that the run has already requested for the record. */
  readonly lists: readonly number[];
  /** Number of positions that the run has saved since it first read the record. */
  readonly age: number;
}
