import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import type { PageToken } from '../page-token.js';
import type { TapReadError } from '../tap-read-error.js';
import type { ReadWindow } from '../tap-reading.js';
import type { OpenSlice } from './slice-rows.js';

/** Includes timeouts of a proxy in front of the vendor. */
const TIMEOUT_STATUSES: readonly (number | undefined)[] = [408, 504, 524];

const MIN_PART_MS = 60_000;

const EPOCH = new Date(0);

/** After a timeout, a request for fewer records may be fast enough. */
export function isTimeout({ errorClass, status, cause }: TapReadError): boolean {
  const isSlow = cause instanceof OutboundError && cause.reason === 'timeout';
  return errorClass === 'vendor_unavailable' && (isSlow || TIMEOUT_STATUSES.includes(status));
}

/** Returns undefined for a slice without a window. */
export function partOf({ since, until, pageToken }: OpenSlice): ReadWindow | undefined {
  if (!until) return undefined;
  const end = pageToken?.windowEnd === undefined ? until : new Date(pageToken.windowEnd);
  return { until: end, ...(since && { since }) };
}

/** Returns undefined for the first page of a part. */
export function positionOf({ pageToken }: OpenSlice): PageToken | undefined {
  const { windowEnd: _, seen: __, ...position } = pageToken ?? {};
  return Object.keys(position).length > 0 ? position : undefined;
}

export function moveTo(slice: OpenSlice, position: PageToken | undefined): void {
  const { windowEnd, seen } = slice.pageToken ?? {};
  const ofPart = { ...(windowEnd !== undefined && { windowEnd }), ...(seen && { seen }) };
  slice.pageToken = position || Object.keys(ofPart).length > 0 ? { ...position, ...ofPart } : undefined;
}

/** Returns false if the run has read a page of the part, or if the part is too short. */
export function halveNewPart(slice: OpenSlice): boolean {
  return !positionOf(slice) && halvePart(slice);
}

/**
 * The run reads the first half next, starting with its first page. Returns false if the part is too short. If the
 * window has no start, halves the time since 1970.
 */
export function halvePart(slice: OpenSlice): boolean {
  const { since = EPOCH, until } = partOf(slice) ?? {};
  if (!until) return false;
  const halfMs = Math.floor((until.getTime() - since.getTime()) / 2);
  if (halfMs < MIN_PART_MS) return false;
  slice.since = since;
  slice.cursor = undefined;
  slice.pageToken = withWindowEnd(slice, since.getTime() + halfMs);
  return true;
}

/** The next part has the same length or, with `isLonger`, twice the length. Returns false after the last part. */
export function moveToNextPart(slice: OpenSlice, { isLonger = false } = {}): boolean {
  const { since, until } = slice;
  const end = slice.pageToken?.windowEnd;
  if (!since || !until || end === undefined || end >= until.getTime()) return false;
  const lengthMs = (end - since.getTime()) * (isLonger ? 2 : 1);
  slice.since = new Date(end);
  slice.cursor = undefined;
  slice.pageToken = withWindowEnd(slice, Math.min(until.getTime(), end + lengthMs));
  slice.pageToken.seen?.forgetBefore(end);
  return true;
}

function withWindowEnd({ pageToken }: OpenSlice, windowEnd: number): PageToken {
  return { ...(pageToken?.seen && { seen: pageToken.seen }), windowEnd };
}
