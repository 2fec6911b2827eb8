import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { chardet } from 'jschardet';
import { CsvError } from '../model/csv-error.js';
import { CERTAIN_ENCODING_CONFIDENCE, HEAD_BYTES } from '../model/csv-limits.js';
import type { Dialect } from '../model/data-schema.js';
import { analyzeUtf8 } from './analyze-utf8.js';
import { chooseLatinEncoding } from './choose-latin-encoding.js';
import { detectWideEncoding } from './detect-wide-encoding.js';

export interface DetectedEncoding {
  /** Name of the encoding in iconv-lite, in lower case. */
  readonly encoding: string;
  /** Offset of the first byte after the byte order mark. */
  readonly start: number;
  /** From 0 to 1. The confidence is 1 if the bytes themselves prove the encoding. */
  readonly confidence: number;
}

type Candidate = Omit<DetectedEncoding, 'start'>;

/** UTF-32 must precede UTF-16, because the mark of UTF-32LE starts with the mark of UTF-16LE. */
const BYTE_ORDER_MARKS: readonly [encoding: string, ...mark: number[]][] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-32le', 0xff, 0xfe, 0, 0],
  ['utf-32be', 0, 0, 0xfe, 0xff],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

/** Maps encoding names of `chardet` to the names in iconv-lite, if these names differ. */
const ICONV_NAMES: Readonly<Record<string, string>> = {
  shift_jis_2004: 'cp932',
  'euc-jis-2004': 'euc-jp',
  'iso8859-15': 'iso-8859-15',
  'tis-620': 'cp874',
};

/** Encodings that iconv-lite cannot decode, and encodings of mainframes, which current programs do not write. */
const UNSUPPORTED = [
  ...['hz-gb-2312', 'iso-2022-kr', 'iso2022-jp-2', 'iso2022-jp-2004', 'iso2022-jp-ext', 'johab', 'utf-7', 'mac-latin2'],
  ...['cp1006', 'kz-1048', 'ptcp154', 'koi8-t', 'cp1026', 'cp1140', 'cp273', 'cp424', 'cp500', 'cp875'],
];

const MULTIBYTE = [
  ...[
    'big5hkscs',
    'cp932',
    'cp949',
    'euc-jis-2004',
    'euc-jp',
    'euc-kr',
    'gb18030',
    'shift_jis_2004',
    'shift_jis',
    'big5',
  ],
];

const WESTERN = 'windows-1252';

/**
 * Code of the euro sign in ISO 8859-15. In windows-1252, the same code is the general currency sign, which hardly any
 * text contains.
 */
const ANY_CURRENCY = 0xa4;

/** Confidence for a text whose only non-ASCII characters are symbols. */
const SYMBOLS_CONFIDENCE = 0.9;

const JAPANESE = ['euc-jp', 'cp932'];
const NOT_ASCII = /[^\0-\x7f]/g;
const KANA_WORDS = /[\u3041-\u3096\u30a1-\u30fc]{2,}/g;
const MIN_KANA_SHARE = 0.1;

/**
 * Encodings of Windows that are likely if no two non-ASCII bytes are adjacent. In Latin script, non-ASCII letters are
 * rarely adjacent.
 */
const LATIN_WINDOWS = [WESTERN, 'windows-1250', 'windows-1254', 'windows-1257', 'windows-1258'];

const SYMBOLS_BETWEEN_LETTERS = '\u00a0\u00b7’–—';
const SYMBOLS_BESIDE_LETTERS = `${SYMBOLS_BETWEEN_LETTERS}‘‚“”„«»‹›…®™©°µ²€§‰`;

/** Letters, control characters, and symbols in unusual places. */
const NOT_SYMBOLS = [
  /(?![a-zµªº])\p{L}|[\u0080-\u009f\ufffd]|[^\0-\x7f]{3}/iu,
  new RegExp(
    `[a-z][^\\0-\\x7f${SYMBOLS_BESIDE_LETTERS}]|[^\\0-\\x7f${SYMBOLS_BESIDE_LETTERS}][a-z]|[a-z][^\\0-\\x7f${SYMBOLS_BETWEEN_LETTERS}][a-z]`,
    'i',
  ),
];

const MAX_DETECTION_BYTES = 64 * 1024;

const MAX_CANDIDATES = 12;

const MIN_CONFIDENCE = 0.1;
const MIN_WINDOWS_CONFIDENCE_SHARE = 0.15;

/** ISO 2022 escape sequences that switch to Japanese, Korean or Chinese characters. */
const ISO_2022 = ['@', 'B', 'A', 'C', '(', ')'].map((set) => `\u001b$${set}`);

/** Maximum number of bytes of an incomplete UTF-8 character. */
const MAX_CUT_BYTES = 3;

const MAX_CONTROL_BYTE_SHARE = 0.02;

/**
 * The C0 control characters and DEL, except tab, line ends, form feed, escape and the shifts of ISO 2022. Further
 * exceptions are the group separator (29), which occurs in GS1 barcodes, and the possible delimiters (1, 30 and 31).
 */
const CONTROL_BYTES = [0, 2, 3, 4, 5, 6, 7, 8, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 127];
const IS_CONTROL_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => (CONTROL_BYTES.includes(byte) ? 1 : 0));

/**
 * Detects the encoding from the byte order mark, the positions of NUL bytes, the validity as UTF-8, and finally from
 * statistics. Throws `CsvError` WA-AF-002, WA-AF-003 and WA-AF-004.
 */
export function detectEncoding(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): DetectedEncoding {
  for (const [encoding, ...mark] of BYTE_ORDER_MARKS)
    if (mark.every((byte, index) => bytes[index] === byte)) return { encoding, start: mark.length, confidence: 1 };
  if (bytes.includes(0)) return { encoding: detectWideEncoding(bytes, { isWhole }), start: 0, confidence: 1 };
  if (isBinary(bytes))
    throw new CsvError('WA-AF-004', 'The file contains many control characters, so it is not a text file.');
  if (isIso2022(bytes)) throw unknownEncoding();
  if (isCutUtf8(bytes, isWhole)) return { encoding: 'utf-8', start: 0, confidence: 1 };
  const { isEvident, firstBad = 0 } = analyzeUtf8(bytes, { isWhole });
  if (isEvident)
    throw new CsvError(
      'WA-AF-003',
      `The byte at offset ${firstBad} is invalid in utf-8, which is the encoding of the rest of the file. Save the whole file as UTF-8.`,
    );
  return { ...detectByStatistics(bytes, firstBad), start: 0 };
}

/** Returns the length of the byte order mark in bytes, or 0 if the file has no mark of this encoding. */
export function bomLength(bytes: Uint8Array, encoding: string): number {
  const [, ...mark] = BYTE_ORDER_MARKS.find(([marked]) => marked === encoding) ?? [encoding];
  return mark.every((byte, index) => bytes[index] === byte) ? mark.length : 0;
}

/** Adds the confidence only if the encoding is not certain. */
export function describeEncoding({
  encoding,
  confidence,
}: DetectedEncoding): Pick<Dialect, 'encoding' | 'encodingConfidence'> {
  if (confidence >= CERTAIN_ENCODING_CONFIDENCE) return { encoding };
  return { encoding, encodingConfidence: Math.round(confidence * 100) / 100 };
}

function unknownEncoding(): CsvError {
  return new CsvError('WA-AF-002', 'The encoding of the file is unknown or not supported. Save the file as UTF-8.');
}

function isIso2022(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  return head.includes(0x1b) && ISO_2022.some((sequence) => head.includes(sequence));
}

function isCutUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  if (isUtf8(bytes)) return true;
  if (isWhole) return false;
  for (let cut = 1; cut <= MAX_CUT_BYTES; cut++) if (isUtf8(bytes.subarray(0, bytes.length - cut))) return true;
  return false;
}

function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  let count = 0;
  for (const byte of head) count += IS_CONTROL_BYTE[byte] ?? 0;
  return count > head.length * MAX_CONTROL_BYTE_SHARE;
}

/**
 * The sample starts 16 KiB before the first byte that is invalid in UTF-8. Most earlier bytes are ASCII and contain
 * little information.
 */
function detectByStatistics(bytes: Uint8Array, firstBad: number): Candidate {
  const from = Math.max(0, firstBad - MAX_DETECTION_BYTES / 4);
  const sample = bytes.subarray(from, from + MAX_DETECTION_BYTES);
  const isReadable = ({ encoding }: Candidate) => decodes(bytes.subarray(0, HEAD_BYTES), encoding);
  for (const detect of [detectJapanese, chooseLatinEncoding, detectSymbols]) {
    const found = detect(sample);
    if (found && isReadable(found)) return found;
  }
  const found = rankEncodings(sample).filter(isReadable);
  const [best] = found;
  if (!best) throw unknownEncoding();
  const second = found.find(({ encoding }) => !decodeAlike(sample, encoding, best.encoding));
  const encoding = decodeAlike(sample, best.encoding, WESTERN) ? WESTERN : best.encoding;
  return { encoding, confidence: best.confidence / (best.confidence + (second?.confidence ?? 0) || 1) };
}

function detectSymbols(sample: Uint8Array): Candidate | undefined {
  if (!hasOnlySymbols(sample)) return undefined;
  return { encoding: sample.includes(ANY_CURRENCY) ? 'iso-8859-15' : WESTERN, confidence: SYMBOLS_CONFIDENCE };
}

/**
 * Only Japanese texts contain words of kana. If bytes of another encoding are decoded as Japanese, kana rarely follow
 * each other.
 */
function detectJapanese(sample: Uint8Array): Candidate | undefined {
  for (const encoding of JAPANESE) {
    const text = iconv.decode(Buffer.from(sample), encoding);
    const all = text.match(NOT_ASCII)?.length ?? 0;
    const inWords = (text.match(KANA_WORDS) ?? []).join('').length;
    const isValid = !text.slice(0, -1).includes('\ufffd');
    if (isValid && inWords > 0 && inWords >= all * MIN_KANA_SHARE)
      return { encoding, confidence: inWords / (inWords + 1) };
  }
  return undefined;
}

/**
 * Returns the possible encodings, most likely first. If the highest confidence is low, for example because the file has
 * few words, encodings of Windows precede older encodings.
 */
function rankEncodings(sample: Uint8Array): Candidate[] {
  const isIsolated = hasOnlyIsolatedBytes(sample);
  const excludeEncodings = isIsolated ? [...UNSUPPORTED, ...MULTIBYTE] : UNSUPPORTED;
  const options = { excludeEncodings, ignoreThreshold: true };
  const found = chardet.detectAll(sample, options).slice(0, MAX_CANDIDATES).map(nameOf);
  const highest = found[0]?.confidence ?? 0;
  if (highest >= MIN_CONFIDENCE) return found;
  const modern = chardet.detectAll(sample, { ...options, encodingEra: chardet.EncodingEra.MODERN_WEB }).map(nameOf);
  const windows = modern
    .filter(({ encoding }) => (isIsolated ? LATIN_WINDOWS.includes(encoding) : encoding.startsWith('windows-')))
    .filter(({ confidence }) => confidence >= highest * MIN_WINDOWS_CONFIDENCE_SHARE);
  const western = windows.filter(
    ({ encoding, confidence }) => encoding === WESTERN && confidence === windows[0]?.confidence,
  );
  const fallback = isIsolated ? [{ encoding: WESTERN, confidence: 0 }] : [];
  return [...western, ...windows, ...fallback, ...found];
}

function decodeAlike(sample: Uint8Array, encoding: string, other: string): boolean {
  const bytes = Buffer.from(sample);
  return iconv.decode(bytes, encoding) === iconv.decode(bytes, other);
}

/** Decodes the sample as windows-1252, and returns whether all non-ASCII characters are symbols in usual places. */
function hasOnlySymbols(sample: Uint8Array): boolean {
  const text = iconv.decode(Buffer.from(sample), WESTERN);
  return !NOT_SYMBOLS.some((pattern) => pattern.test(text));
}

function hasOnlyIsolatedBytes(sample: Uint8Array): boolean {
  return sample.every((byte, index) => byte < 0x80 || (sample[index + 1] ?? 0) < 0x80);
}

function nameOf({ encoding, confidence }: { encoding: string | null; confidence: number }): Candidate {
  const name = encoding?.toLowerCase() ?? '';
  return { encoding: ICONV_NAMES[name] ?? name, confidence };
}

/** Ignores an incomplete last character. */
function decodes(bytes: Uint8Array, encoding: string): boolean {
  if (!iconv.encodingExists(encoding)) return false;
  const decoder = iconv.getDecoder(encoding);
  return !decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).includes('\ufffd');
}
