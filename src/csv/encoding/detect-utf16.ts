import { CsvError } from '../model/csv-error.js';
import { HEAD_BYTES } from '../model/csv-limits.js';

/** In any language, at least this share of characters (digits, delimiters, line ends) has a NUL as its upper byte. */
const MIN_ASCII_SHARE = 0.05;

/** Maximum share of NULs in the other position: characters such as U+0100. */
const MAX_MISPLACED_NUL_SHARE = 0.02;

/** Maximum share of characters whose two bytes are both ASCII. A larger share indicates single-byte text. */
const MAX_ASCII_PAIR_SHARE = 0.5;

/**
 * Detects UTF-16 without a byte order mark by the positions of NULs. Throws `CsvError` WA-AF-004 if the NULs do not
 * match UTF-16.
 */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' {
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
  if (!isUtf16 || most === 0) throw new CsvError('WA-AF-004', 'The file contains NUL bytes; it is not a text file.');
  return nuls[1] > nuls[0] ? 'utf-16le' : 'utf-16be';
}

function isAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
