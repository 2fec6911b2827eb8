import { MAX_WAIT_SECONDS } from '../files/table-merge-job.js';

/** A merge that writes at most this many bytes takes about a second, so it does not wait for more rows. */
const SMALL_MERGE_BYTES = 64 * 2 ** 20;

/**
 * Maximum ratio between the bytes that a merge writes and the bytes of the new rows. Does not apply to rows that have
 * waited for `MAX_WAIT_SECONDS`.
 */
const MAX_WRITE_FACTOR = 8;

/** Limits the disk space and the time of one merge. */
const MAX_UNMERGED_BYTES = 2 ** 30;

export interface MergeCost {
  /** Total size of the files that the merge may have to rewrite. */
  readonly touchedBytes: number;
  /** Total size of the new rows and of the unmerged rows. */
  readonly newBytes: number;
  /** Time at which the first of the new rows was written. */
  readonly waitingSince: Date;
}

/**
 * Returns whether to merge new rows into a table now. If the function returns false, the rows wait for more rows,
 * because a merge with random keys rewrites most files of the table.
 */
export function isMergeDue({ touchedBytes, newBytes, waitingSince }: MergeCost, now = Date.now()): boolean {
  return (
    touchedBytes <= SMALL_MERGE_BYTES ||
    newBytes >= Math.min(touchedBytes / MAX_WRITE_FACTOR, MAX_UNMERGED_BYTES) ||
    now - waitingSince.getTime() >= MAX_WAIT_SECONDS * 1_000
  );
}
