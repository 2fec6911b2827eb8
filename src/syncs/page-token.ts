import type { PageTrail } from './page-trail.js';
import type { SeenRecords } from './seen-records.js';

/**
 * Position of the next page of a slice, stored as JSON between steps. The first request of a slice has no token. Which properties
 * are set depends on the pagination style of the tap.
 */
export interface PageToken {
  /** Index of the transport option, if it is not the preferred option. */
  readonly option?: number;
  /** Absolute URL of the page, path below the base URL, or query string, from a response of the vendor. */
  readonly url?: string;
  /** Value of the vendor, sent back unchanged. */
  readonly cursor?: unknown;
  /** Number of records before the page. */
  readonly offset?: number;
  /** Page number. */
  readonly page?: number;
  /** Number of the first page, for page numbers. */
  readonly firstPage?: number;
  /** Number of pages, if only the first response contains it. */
  readonly totalPages?: number;
  /** Id of the result that the vendor stores, for `session_page`. */
  readonly sessionId?: string;
  /** Key of the last record before the query restarted. */
  readonly restartAfter?: unknown;
  /** Number of records since the query started or restarted. */
  readonly records?: number;
  /** End of the part of a window that was halved, in milliseconds since 1970. */
  readonly windowEnd?: number;
  /** Records that were read before; only for slices that can be read again from their start. */
  readonly seen?: SeenRecords;
  /** Earlier pages, to detect a repeated page; missing before the first page with records. */
  readonly trail?: PageTrail;
  /** How often the read has started again at the first page. */
  readonly resets?: number;
  /** Query that the vendor runs asynchronously. */
  readonly query?: AsyncQueryToken;
  /**
   * Positions of the lists of fields, if the fields are too many for one request. Then only `option`, `records` and
   * `seen` can be set too.
   */
  readonly fieldLists?: { readonly lists: readonly FieldListToken[] } & Partial<MergedRecords>;
}

export interface FieldListToken {
  readonly fieldNames: readonly string[];
  /** Position of the next page with this list; undefined before the first page and after the last page. */
  readonly position?: PageToken;
  readonly isDone?: boolean;
}

export interface AsyncQueryToken {
  readonly id: string;
  /** Milliseconds since 1970 when the query was started. */
  readonly startedAt: number;
  readonly isFinished: boolean;
  /** URLs of result files that were not read yet. */
  readonly files?: readonly string[];
}

/** The merged records of several lists of fields. */
export interface MergedRecords {
  /** Number of records that were read with all lists. */
  readonly complete: number;
  /** Number of records that were not read with all lists and are no longer waiting. */
  readonly dropped: number;
  readonly waiting?: readonly WaitingRecord[];
}

/** A record that was read with only some of the lists of fields, as a position stores it. */
export interface WaitingRecord {
  /** JSON, so that numbers keep all digits. */
  readonly record: string;
  readonly key: string;
  readonly cursor?: number | undefined;
  /** Indexes of the lists that have been read for the record. */
  readonly lists: readonly number[];
  /** Number of positions that were saved after its first read. */
  readonly age: number;
}
