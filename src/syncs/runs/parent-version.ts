import { createHash } from 'node:crypto';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import { DAY_MS } from '../../kernel/formats/time-units.js';
import { cursorMsOf } from '../responses/cursor-value.js';
import { fieldValueOf, scalarTextOf } from '../responses/field-value.js';
import type { VendorRecord } from '../tap-page.js';
import type { SliceScope } from '../tap-reading.js';

export interface ParentScope extends SliceScope {
  /** Version of the parent; see `parentVersionOf`. */
  readonly parentVersion?: string | undefined;
}

/**
 * A further change may leave the time in the field unchanged, because vendors round times and update lists late. A time
 * therefore identifies a version only when it is at least this old.
 */
const SETTLING_MS = 3_600_000;

/** A date without a time ends up to 38 hours after its start in UTC. */
const DATE_SETTLING_MS = 2 * DAY_MS;

const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Smaller numbers are counters, not times. A counter does not identify a version, because it may already include
 * records that are added after `until`.
 */
const MIN_TIME = Date.UTC(2000);

/**
 * Digest of the time in `parentChangeField`. Undefined without a time. Also undefined if the children may have changes
 * with this time that a read until `until` does not include. `until` is in milliseconds since 1970.
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
