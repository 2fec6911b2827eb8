import { AppError } from '../kernel/errors.js';
import type { ArtifactFileType } from './artifact-status.js';
import { detectCompoundFileType } from './compound-file.js';
import { detectZipFileType } from './zip-archive.js';

/** Signatures of files that are none of ours, as hexadecimal digits, and where they stand. */
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

/** Text that is something else. */
const MARKUP: readonly [name: string, begins: RegExp][] = [
  ['HTML', /^\ufeff?\s{0,64}<(!doctype html|html)[\s>]/i],
  ['XML', /^\ufeff?\s{0,64}<\?xml\s/],
];

/** An object with a name in it, maybe the first of an array. */
const JSON_BEGINS = /^(\[\s{0,64})?\{\s{0,64}"[^"\r\n]{0,256}"\s{0,64}:/;

/** What each extension says; any other says nothing. */
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
 * What a file is, by the beginning of its content, 256 KiB or all of it; whatever else text may be is taken for CSV here. Throws WA-AF-001 for
 * nothing at all, WA-AF-013 for what is none of the six, and where the extension of the name says another one of them.
 */
export function detectFileType(head: Buffer, fileName: string): ArtifactFileType {
  if (head.length === 0) throw new AppError('WA-AF-001', 'The file is empty.');
  const extension = extensionOf(fileName);
  const fileType =
    detectZipFileType(head, extension) ?? detectCompoundFileType(head, extension) ?? requireCsvText(head);
  requireMatchingExtension(fileName, fileType);
  return fileType;
}

/** Throws WA-AF-013 where the extension says another type. */
export function requireMatchingExtension(fileName: string, fileType: ArtifactFileType): void {
  const said = BY_EXTENSION[extensionOf(fileName)];
  if (said && said !== fileType) throw new AppError('WA-AF-013', `The name says ${said}, the content is ${fileType}.`);
}

function requireCsvText(head: Buffer): 'csv' {
  const begins = (signature: string, at: number): boolean =>
    head.toString('hex', at, at + signature.length / 2) === signature;
  const text = head.toString('utf8', 0, 512);
  const foreign =
    SIGNATURES.find(([, signature, at = 0]) => begins(signature, at)) ??
    MARKUP.find(([, pattern]) => pattern.test(text));
  const name = foreign?.[0] ?? (isJson(head) ? 'JSON' : undefined);
  if (name) throw new AppError('WA-AF-013', `Files of type ${name} are not taken.`);
  return 'csv';
}

/** Whether the first line is an object or an array, or the whole head; of a head that ends before such a line or array does, how it begins tells. */
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
