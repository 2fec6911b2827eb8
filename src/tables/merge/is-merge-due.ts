import { MAX_WAIT_SECONDS } from '../files/table-merge-job.js';

/** A merge that writes at most this many bytes takes about a second, so it does not wait for further rows. */
const SMALL_MERGE_BYTES = 64 * 2 ** 20;

/** A merge writes at most this many times the bytes of the new rows, unless they have waited for `MAX_WAIT_SECONDS`. */
const MAX_WRITE_FACTOR = 8;

/** Limits the disk space and the time of one merge. */
const MAX_UNMERGED_BYTES = 2 ** 30;

export interface MergeCost {
  /** Total size of the files that may have to be written again. */
  readonly touchedBytes: number;
  /** Total size of the new rows, including rows that already wait. */
  readonly newBytes: number;
  /** When the first of the new rows were written. */
  readonly waitingSince: Date;
}

/**
 * Whether to merge new rows into a table now. Otherwise they wait for further rows, because a merge with random keys
 * writes most files of the table again.
 */
export function isMergeDue({ touchedBytes, newBytes, waitingSince }: MergeCost, now = Date.now()): boolean {
  return (
    touchedBytes <= SMALL_MERGE_BYTES ||
    newBytes >= Math.min(touchedBytes / MAX_WRITE_FACTOR, MAX_UNMERGED_BYTES) ||
    now - waitingSince.getTime() >= MAX_WAIT_SECONDS * 1_000
  );
}
