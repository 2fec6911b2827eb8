import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import type { PageToken } from '../page-token.js';
import type { TapReadError } from '../tap-read-error.js';
import type { ReadWindow } from '../tap-reading.js';
import type { OpenSlice } from './slice-rows.js';

/** Statuses that mean a timeout of the vendor, or of a proxy in front of the vendor. */
const TIMEOUT_STATUSES: readonly (number | undefined)[] = [408, 504, 524];

const MIN_PART_MS = 60_000;

const EPOCH = new Date(0);

/** Returns whether the vendor took too long. A request for fewer records may be fast enough. */
export function isTimeout({ errorClass, status, cause }: TapReadError): boolean {
  const isSlow = cause instanceof OutboundError && cause.reason === 'timeout';
  return errorClass === 'vendor_unavailable' && (isSlow || TIMEOUT_STATUSES.includes(status));
}

/** Returns the part of the window that the run reads next. Returns undefined for a slice without a window. */
export function partOf({ since, until, pageToken }: OpenSlice): ReadWindow | undefined {
  if (!until) return undefined;
  const end = pageToken?.windowEnd === undefined ? until : new Date(pageToken.windowEnd);
  return { until: end, ...(since && { since }) };
}

/** Returns the position of the next page. Returns undefined for the first page of a part. */
export function positionOf({ pageToken }: OpenSlice): PageToken | undefined {
  const { windowEnd: _, seen: __, ...position } = pageToken ?? {};
  return Object.keys(position).length > 0 ? position : undefined;
}

/** Replaces the position within the current part of the window. */
export function moveTo(slice: OpenSlice, position: PageToken | undefined): void {
  const { windowEnd, seen } = slice.pageToken ?? {};
  const ofPart = { ...(windowEnd !== undefined && { windowEnd }), ...(seen && { seen }) };
  slice.pageToken = position || Object.keys(ofPart).length > 0 ? { ...position, ...ofPart } : undefined;
}

/** Halves the part if the run has read no page of it and it is long enough. Returns whether it has halved the part. */
export function halveNewPart(slice: OpenSlice): boolean {
  return !positionOf(slice) && halvePart(slice);
}

/**
 * Halves the part if it is long enough. The run then reads its pages again. Returns whether it has halved the part. A
 * window without a start begins in 1970.
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

/**
 * Moves a slice to the next part, which has the same length or, with `isLonger`, twice the length. Returns false after
 * the last part.
 */
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
