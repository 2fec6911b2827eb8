import { AppError } from '../kernel/errors.js';
import type { ArtifactFileType } from './artifact-status.js';
import { detectCompoundFileType } from './compound-file.js';
import { detectZipFileType } from './zip-archive.js';

/** Hexadecimal signatures of unsupported file types, with their byte offset (default 0). */
const SIGNATURES: readonly [name: string, signature: string, at?: number][] = [
  ['PDF', '255044462d'],
  ['gzip', '1f8b'],
  ['xz', 'fd377a585a00'],
  ['Zstandard', '28b52ffd'],
  ['7-Zip', '377abcaf271c'],
  ['RAR', '526172211a07'],
  ['tar', '7573746172', 257],
  ['Avro', '4f626a01'],
  ['SQLite', '53514c69746520666f726d6174203300'],
  ['PNG', '89504e47'],
  ['JPEG', 'ffd8ff'],
  ['RTF', '7b5c727466'],
];

const MARKUP: readonly [name: string, begins: RegExp][] = [
  ['HTML', /^\ufeff?\s{0,64}<(!doctype html|html)[\s>]/i],
  ['XML', /^\ufeff?\s{0,64}<\?xml\s/],
];

/** Matches the start of a JSON object, which may be the first element of an array. */
const JSON_BEGINS = /^(\[\s{0,64})?\{\s{0,64}"[^"\r\n]{0,256}"\s{0,64}:/;

/** An extension that is not listed allows every type. */
const BY_EXTENSION: Readonly<Record<string, ArtifactFileType>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  psv: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xls: 'xls',
  numbers: 'numbers',
  ods: 'ods',
  zip: 'zip',
};

/**
 * `head` is the first 256 KiB. Returns `csv` for unknown content, which `checkCsvHead` validates later. Throws
 * WA-AF-001 for an empty file, and WA-AF-013 if the type is unsupported or contradicts the extension of the file name.
 */
export function detectFileType(head: Buffer, fileName: string): ArtifactFileType {
  if (head.length === 0) throw new AppError('WA-AF-001', 'The file is empty.');
  const extension = extensionOf(fileName);
  const fileType =
    detectZipFileType(head, extension) ?? detectCompoundFileType(head, extension) ?? requireCsvText(head);
  requireMatchingExtension(fileName, fileType);
  return fileType;
}

export function requireMatchingExtension(fileName: string, fileType: ArtifactFileType): void {
  const expected = BY_EXTENSION[extensionOf(fileName)];
  if (expected && expected !== fileType)
    throw new AppError(
      'WA-AF-013',
      `The file name has the extension of the type ${expected}, but the content is ${fileType}. Correct the file name.`,
    );
}

function requireCsvText(head: Buffer): 'csv' {
  const begins = (signature: string, at: number): boolean =>
    head.toString('hex', at, at + signature.length / 2) === signature;
  const text = head.toString('utf8', 0, 512);
  const foreign =
    SIGNATURES.find(([, signature, at = 0]) => begins(signature, at)) ??
    MARKUP.find(([, pattern]) => pattern.test(text));
  const name = foreign?.[0] ?? (isJson(head) ? 'JSON' : undefined);
  if (name)
    throw new AppError(
      'WA-AF-013',
      `${name} files are not supported. Upload a CSV file, a spreadsheet or a ZIP archive.`,
    );
  return 'csv';
}

/**
 * Returns true if the head or its first line (JSON Lines) is a JSON object or array. Also returns true for the start of
 * a JSON object or of an array of JSON objects, if this start is one line or its first line is a bracket.
 */
function isJson(head: Buffer): boolean {
  if (!/^\ufeff?\s{0,64}[[{]/.test(head.toString('utf8', 0, 128))) return false;
  const text = head.toString('utf8').replace('\ufeff', '').trim();
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  if (parses(firstLine) || parses(text)) return true;
  return JSON_BEGINS.test(text) && (firstLine === text || /^[[{]$/.test(firstLine.trim()));
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function extensionOf(fileName: string): string {
  return /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}
