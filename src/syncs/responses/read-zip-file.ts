import { crc32, inflateRawSync } from 'node:zlib';

/** Signatures and sizes of the records in APPNOTE.TXT of PKWARE, section 4.3. */
const END_SIGNATURE = Buffer.from('PK\u0005\u0006');
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const FILE_BYTES = 30;

const ENCRYPTED = 1;
const [STORED, DEFLATED] = [0, 8];

/** The archive is damaged or has another number of files. The message completes "The file …". */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/**
 * The content of the only file in a zip archive. Reads the directory at the end of the archive, because the sizes before
 * the file may be missing. Inflates at most `maxBytes`, whatever size the directory states. Throws `ZipError`, and
 * errors of `zlib`.
 */
export function readZipFile(archive: Buffer, maxBytes: number): Buffer {
  const entry = onlyEntryOf(archive);
  const flags = archive.readUInt16LE(entry + 8);
  const method = archive.readUInt16LE(entry + 10);
  const checksum = archive.readUInt32LE(entry + 16);
  const size = archive.readUInt32LE(entry + 20);
  const start = archive.readUInt32LE(entry + 42);
  if (flags & ENCRYPTED) throw new ZipError('is encrypted');
  if (method !== STORED && method !== DEFLATED) throw new ZipError('uses an unsupported compression method');
  const from = start + FILE_BYTES + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  const packed = archive.subarray(from, from + size);
  const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: maxBytes });
  if (crc32(content) !== checksum) throw new ZipError('is damaged');
  return content;
}

/** Position of the directory entry of the only file. Folders do not count. */
function onlyEntryOf(archive: Buffer): number {
  const end = archive.lastIndexOf(END_SIGNATURE);
  if (end < 0 || end + END_BYTES > archive.length) throw new ZipError('is damaged');
  const entries: number[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new ZipError('is damaged');
    const nameEnd = at + ENTRY_BYTES + archive.readUInt16LE(at + 28);
    if (archive[nameEnd - 1] !== '/'.charCodeAt(0)) entries.push(at);
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0) throw new ZipError('does not contain exactly one file');
  return entry;
}
