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
 * Minimum age of a time that identifies a version. A more recent time may remain the same after a further change,
 * because vendors round times and update lists late.
 */
const SETTLING_MS = 3_600_000;

/**
 * Minimum age of a date without a time. Depending on the time zone, such a date ends up to 36 hours after its start in
 * UTC.
 */
const DATE_SETTLING_MS = 2 * DAY_MS;

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Smaller numbers are counters, which may include records that the source added after `until`. */
const MIN_TIME = Date.UTC(2000);

/**
 * Returns undefined if there is no time, or if it is so recent that a read until `until` may miss changes of the
 * children. `until` is in milliseconds since 1970.
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
