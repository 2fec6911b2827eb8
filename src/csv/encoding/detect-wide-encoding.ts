import { CsvError } from '../model/csv-error.js';
import { HEAD_BYTES } from '../model/csv-limits.js';

/** Unicode ends at U+10FFFF. */
const LAST_PLANE = 0x10;

/**
 * Minimum share of ASCII characters, whose upper byte is NUL. Texts in any language contain digits, delimiters and line
 * ends.
 */
const MIN_ASCII_SHARE = 0.05;

/**
 * Maximum ratio of NULs as lower bytes to NULs as upper bytes. A few characters, such as U+0100 and the Korean U+C800,
 * have a NUL as lower byte.
 */
const MAX_MISPLACED_NUL_SHARE = 0.1;

/** Maximum share of byte pairs in which both bytes are ASCII. A larger share indicates a single-byte encoding. */
const MAX_ASCII_PAIR_SHARE = 0.5;

type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/**
 * Detects UTF-32 and UTF-16 without a byte order mark, by the positions of NUL bytes. Throws `CsvError` WA-AF-004 if
 * the positions match neither encoding.
 */
export function detectWideEncoding(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): WideEncoding {
  if (isUtf32(bytes, isWhole, 0)) return 'utf-32be';
  if (isUtf32(bytes, isWhole, 3)) return 'utf-32le';
  return detectUtf16(bytes);
}

/**
 * Returns whether each group of 4 bytes is a Unicode character, and no group is NUL. `highest` is the index of the most
 * significant byte in a group.
 */
function isUtf32(bytes: Uint8Array, isWhole: boolean, highest: 0 | 3): boolean {
  if (bytes.length < 4 || (isWhole && bytes.length % 4 !== 0)) return false;
  const end = Math.min(bytes.length, HEAD_BYTES) & ~3;
  const [second, third, lowest] = highest === 0 ? [1, 2, 3] : [2, 1, 0];
  for (let at = 0; at < end; at += 4) {
    const plane = bytes[at + second] ?? 0;
    const high = bytes[at + third] ?? 0;
    const isSurrogate = plane === 0 && high >= 0xd8 && high <= 0xdf;
    if (bytes[at + highest] !== 0 || plane > LAST_PLANE || isSurrogate) return false;
    if (plane === 0 && high === 0 && bytes[at + lowest] === 0) return false;
  }
  return true;
}

function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' {
  const end = Math.min(bytes.length, HEAD_BYTES) & ~1;
  const nuls: [even: number, odd: number] = [0, 0];
  let paired = 0;
  for (let at = 0; at < end; at += 2) {
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    if (first === 0) nuls[0]++;
    if (second === 0) nuls[1]++;
    if (isAscii(first) && isAscii(second)) paired++;
  }
  const most = Math.max(...nuls);
  const isUtf16 =
    most >= (end / 2) * MIN_ASCII_SHARE &&
    Math.min(...nuls) <= most * MAX_MISPLACED_NUL_SHARE &&
    paired <= (end / 2) * MAX_ASCII_PAIR_SHARE;
  if (!isUtf16 || most === 0) throw new CsvError('WA-AF-004', 'The file contains NUL bytes, so it is not a text file.');
  return nuls[1] > nuls[0] ? 'utf-16le' : 'utf-16be';
}

function isAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
