import iconv from 'iconv-lite';
import { CsvError } from '../model/csv-error.js';
import { analyzeUtf8 } from './analyze-utf8.js';
import { type DetectedEncoding, detectEncoding } from './detect-encoding.js';

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export interface CsvText {
  readonly encoding: string;
  /** Excludes the byte order mark. */
  readonly text: string;
}

/**
 * Decodes a file or its head. Ignores an incomplete last character if `isWhole` is false. Throws `CsvError`: WA-AF-001
 * for a blank file, WA-AF-002 for an unknown encoding, WA-AF-003 for bytes that are invalid in the encoding, WA-AF-004
 * for a file that is not text.
 */
export function readText(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): CsvText {
  if (isWhole && bytes.length === 0) throw emptyFileError();
  const detected = detectEncoding(bytes, { isWhole });
  return { encoding: detected.encoding, text: decodeText(bytes, detected, { isWhole }) };
}

/** Decodes bytes in a known encoding. Throws the errors of `readText`, except WA-AF-002. */
export function decodeText(
  bytes: Uint8Array,
  { encoding, start }: DetectedEncoding,
  { isWhole }: { isWhole: boolean },
): string {
  const content = bytes.subarray(start);
  const text = decode(content, encoding, isWhole);
  const invalidByte = findInvalidByte(text, content, encoding, isWhole);
  if (invalidByte !== undefined)
    throw new CsvError(
      'WA-AF-003',
      `The byte at offset ${start + invalidByte} is invalid in ${encoding}. Save the file again as UTF-8.`,
    );
  if (text.includes('\0'))
    throw new CsvError('WA-AF-004', 'The file contains NUL characters, so it is not a text file.');
  if (isWhole && text.trim() === '') throw emptyFileError();
  return text;
}

export function emptyFileError(): CsvError {
  return new CsvError('WA-AF-001', 'The file is empty, or contains only blank lines and comments.');
}

function decode(bytes: Uint8Array, encoding: string, isWhole: boolean): string {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const text = decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  // `end` returns the rest of an incomplete character.
  if (isWhole) return text + (decoder.end() ?? '');
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** In UTF-8, a U+FFFD does not prove an invalid byte, because a valid text may contain this character. */
function findInvalidByte(text: string, bytes: Uint8Array, encoding: string, isWhole: boolean): number | undefined {
  if (encoding === 'utf-8') return text.includes('\ufffd') ? analyzeUtf8(bytes, { isWhole }).firstBad : undefined;
  if (encoding.startsWith('utf-16')) {
    if (isWhole && bytes.length % 2 === 1) return bytes.length - 1;
    const lone = LONE_SURROGATE.exec(text)?.index;
    return lone === undefined ? undefined : lone * 2;
  }
  const replaced = text.indexOf('\ufffd');
  return replaced < 0 ? undefined : iconv.encode(text.slice(0, replaced), encoding).length;
}
