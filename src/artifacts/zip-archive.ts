import { AppError } from '../kernel/errors.js';
import type { ArtifactFileType } from './artifact-status.js';

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
const EMPTY_ARCHIVE = Buffer.from('PK\x05\x06', 'latin1');

/** Local file header: its size without the name, and the offsets of its three length fields. */
const HEADER = { length: 30, nameLengthAt: 26, extraLengthAt: 28, sizeAt: 18 };

/**
 * `entriesIn` reads at most this number of bytes of a name. In a hostile archive, each name can claim to extend to the
 * end of the read bytes.
 */
const MAX_NAME_BYTES = 256;

const MAX_ENTRIES = 1_000;

const SPREADSHEET = 'application/vnd.oasis.opendocument.spreadsheet';

interface Entry {
  readonly name: string;
  /** Bytes of the entry within the head, still compressed. */
  readonly content: Buffer;
}

/** The first matching rule applies. Without a match, the file is a plain ZIP archive. */
const RULES: readonly [
  matches: (entries: readonly Entry[], extension: string) => boolean,
  kind: ArtifactFileType | 'foreign',
][] = [
  [(entries) => mimeTypeOf(entries).startsWith(SPREADSHEET), 'ods'],
  [(entries) => mimeTypeOf(entries).startsWith('application/'), 'foreign'],
  [(entries) => isOffice(entries) && has(entries, /^xl\//), 'xlsx'],
  [(entries) => isOffice(entries) && has(entries, /^(word|ppt|visio)\//), 'foreign'],
  [(entries, extension) => isOffice(entries) && /^xls[xm]$/.test(extension), 'xlsx'],
  [(entries) => has(entries, /^Index\/(Tables\/|CalculationEngine)/), 'numbers'],
  [(entries, extension) => has(entries, /^Index\/Document\.iwa$|^Index\.zip$/) && extension === 'numbers', 'numbers'],
];

/**
 * Reads the entries in the head without unpacking them (PKWARE APPNOTE 6.3.10, section 4.3.7). Returns undefined if the
 * file is not an archive. Throws WA-AF-013 for documents other than spreadsheets.
 */
export function detectZipFileType(head: Buffer, extension: string): ArtifactFileType | undefined {
  if (head.subarray(0, 4).equals(EMPTY_ARCHIVE)) return 'zip';
  if (!head.subarray(0, 4).equals(LOCAL_HEADER)) return undefined;
  const entries = entriesIn(head);
  const kind = RULES.find(([matches]) => matches(entries, extension))?.[1] ?? 'zip';
  if (kind === 'foreign')
    throw new AppError(
      'WA-AF-013',
      'The file is a document other than a spreadsheet, such as a presentation. Upload a CSV file or a spreadsheet.',
    );
  return kind;
}

/** Searches for signatures, because the header of a streamed entry does not contain the length of the entry. */
function entriesIn(head: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at >= 0 && entries.length < MAX_ENTRIES; at = head.indexOf(LOCAL_HEADER, at + 4)) {
    if (at + HEADER.length > head.length) break;
    const nameEnd = at + HEADER.length + head.readUInt16LE(at + HEADER.nameLengthAt);
    const start = nameEnd + head.readUInt16LE(at + HEADER.extraLengthAt);
    const name = head.toString('utf8', at + HEADER.length, Math.min(nameEnd, at + HEADER.length + MAX_NAME_BYTES));
    entries.push({ name, content: head.subarray(start, start + head.readUInt32LE(at + HEADER.sizeAt)) });
  }
  return entries;
}

/** The entry `mimetype` must be the first entry and uncompressed (OpenDocument 1.3, part 2, section 3.3). */
function mimeTypeOf([first]: readonly Entry[]): string {
  return first?.name === 'mimetype' ? first.content.toString('latin1', 0, 128) : '';
}

function isOffice(entries: readonly Entry[]): boolean {
  return has(entries, /^\[Content_Types\]\.xml$|^_rels\/\.rels$/);
}

function has(entries: readonly Entry[], name: RegExp): boolean {
  return entries.some((entry) => name.test(entry.name));
}
