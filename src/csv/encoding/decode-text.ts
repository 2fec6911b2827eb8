import iconv from 'iconv-lite';
import { CsvError } from '../model/csv-error.js';
import { analyzeUtf8 } from './analyze-utf8.js';
import { type DetectedEncoding, detectEncoding } from './detect-encoding.js';

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export interface CsvText {
  /** A name that iconv-lite knows, in lower case. */
  readonly encoding: string;
  /** Without a byte order mark. */
  readonly text: string;
}

/**
 * Decodes a file, or the head of one: there the last character may be cut, and is left out then. Throws CsvFault: 001 where a whole file holds
 * nothing but blanks, 002 where the encoding cannot be told, 003 where bytes are none in it, 004 for what is no text.
 */
export function readText(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): CsvText {
  if (isWhole && bytes.length === 0) throw emptyFileError();
  const detected = detectEncoding(bytes, { isWhole });
  return { encoding: detected.encoding, text: decodeText(bytes, detected, { isWhole }) };
}

/** The text of bytes whose encoding is known. Throws like `readText`, but for 002. */
export function decodeText(
  bytes: Uint8Array,
  { encoding, start }: DetectedEncoding,
  { isWhole }: { isWhole: boolean },
): string {
  const content = bytes.subarray(start);
  const text = decode(content, encoding, isWhole);
  const flaw = findInvalidByte(text, content, encoding, isWhole);
  if (flaw !== undefined)
    throw new CsvError('WA-AF-003', `The byte at offset ${start + flaw} stands for no character in ${encoding}.`);
  if (text.includes('\0')) throw new CsvError('WA-AF-004', 'The file holds NUL characters: it is no text.');
  if (isWhole && text.trim() === '') throw emptyFileError();
  return text;
}

export function emptyFileError(): CsvError {
  return new CsvError('WA-AF-001', 'The file is empty, or holds nothing but blank lines.');
}

function decode(bytes: Uint8Array, encoding: string, isWhole: boolean): string {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const text = decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  // What is left in the decoder is a part of a character.
  if (isWhole) return text + (decoder.end() ?? '');
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** Offset of the first byte that stands for no character. A text may hold replacement characters of its own. */
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
