import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import type { PageToken } from '../page-token.js';
import type { TapReadError } from '../tap-read-error.js';
import type { ReadWindow } from '../tap-reading.js';
import type { OpenSlice } from './slice-rows.js';

/** Statuses of a vendor, or of a proxy in front of it, that takes too long. */
const TIMEOUT_STATUSES: readonly (number | undefined)[] = [408, 504, 524];

const MIN_PART_MS = 60_000;

/** Whether the vendor takes too long for the records of a request. Fewer records may be fast enough. */
export function isTimeout({ errorClass, status, cause }: TapReadError): boolean {
  const isSlow = cause instanceof OutboundError && cause.reason === 'timeout';
  return errorClass === 'vendor_unavailable' && (isSlow || TIMEOUT_STATUSES.includes(status));
}

/** The part of the window that is read next; undefined for a slice without a window. */
export function partOf({ since, until, pageToken }: OpenSlice): ReadWindow | undefined {
  if (!until) return undefined;
  const end = pageToken?.windowEnd === undefined ? until : new Date(pageToken.windowEnd);
  return { until: end, ...(since && { since }) };
}

/** The position of the next page; undefined for the first page of a part. */
export function positionOf({ pageToken }: OpenSlice): PageToken | undefined {
  const { windowEnd: _, ...position } = pageToken ?? {};
  return Object.keys(position).length > 0 ? position : undefined;
}

/** Returns whether the part was halved: it has no page yet, and is long enough. */
export function halvePart(slice: OpenSlice): boolean {
  const { since, until } = partOf(slice) ?? {};
  if (!since || !until || positionOf(slice)) return false;
  const halfMs = Math.floor((until.getTime() - since.getTime()) / 2);
  if (halfMs < MIN_PART_MS) return false;
  slice.pageToken = { windowEnd: since.getTime() + halfMs };
  return true;
}

/** Moves a slice to the next part, of the same length. Returns false after the last part. */
export function moveToNextPart(slice: OpenSlice): boolean {
  const { since, until } = slice;
  const end = slice.pageToken?.windowEnd;
  if (!since || !until || end === undefined || end >= until.getTime()) return false;
  slice.since = new Date(end);
  slice.cursor = undefined;
  slice.pageToken = { windowEnd: Math.min(until.getTime(), 2 * end - since.getTime()) };
  return true;
}
