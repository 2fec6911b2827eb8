import { CsvError } from '../model/csv-error.js';
import { HEAD_BYTES } from '../model/csv-limits.js';

/** Share of the characters whose upper byte is NUL: digits, delimiters and line ends, whatever the language. */
const MIN_ASCII_SHARE = 0.05;

/** Share of the NULs that stand on the wrong side: characters such as U+0100. */
const MAX_MISPLACED_NUL_SHARE = 0.02;

/** Share of characters of which both bytes are ASCII: more is a text of single bytes that is read in pairs. */
const MAX_ASCII_PAIR_SHARE = 0.5;

/** Tells UTF-16 without a byte order mark by where its NULs stand. Throws CsvFault 004 for anything else that holds NULs. */
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
  if (!isUtf16 || most === 0) throw new CsvError('WA-AF-004', 'The file holds NUL bytes: it is no text.');
  return nuls[1] > nuls[0] ? 'utf-16le' : 'utf-16be';
}

function isAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
