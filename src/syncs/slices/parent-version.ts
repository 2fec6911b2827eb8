import { createHash } from 'node:crypto';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import { DAY_MS } from '../../kernel/formats/time-units.js';
import { cursorMsOf } from '../responses/cursor-value.js';
import { fieldValueOf, scalarTextOf } from '../responses/field-value.js';
import type { VendorRecord } from '../tap-page.js';
import type { SliceScope } from '../tap-reading.js';

export interface ParentScope extends SliceScope {
  /** See `parentVersionOf`. */
  readonly parentVersion?: string | undefined;
}

/**
 * A time identifies a version only if it is at least this old when the read ends. A further change may leave a more
 * recent time unchanged, because vendors round times and update lists late.
 */
const SETTLING_MS = 3_600_000;

/** Minimum age of a date without a time. In the westernmost time zone, a date ends 36 hours after its start in UTC. */
const DATE_SETTLING_MS = 2 * DAY_MS;

const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * A smaller number is not a time, but a counter, such as a number of comments. A counter is not a version, because it
 * may already count records that the source added after `until`.
 */
const MIN_TIME = Date.UTC(2000);

/**
 * Returns undefined if `parentChangeField` of the parent record contains no time. Also returns undefined if the time is
 * close to `until`, because the children may then change again without a new time. `until` is the end of the read, in
 * milliseconds since 1970.
 */
export function parentVersionOf(
  { from, parentChangeField }: Pick<TraversalEdge, 'from' | 'parentChangeField'>,
  parentRecord: VendorRecord,
  until: number,
): string | undefined {
  if (!parentChangeField) return undefined;
  const value = scalarTextOf(fieldValueOf(parentRecord, parentChangeField));
  const time = cursorMsOf(value, undefined);
  if (value === undefined || time === undefined || time < MIN_TIME) return undefined;
  if (time > until - (DATE.test(value) ? DATE_SETTLING_MS : SETTLING_MS)) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([from, parentChangeField, value]))
    .digest('base64url');
}
