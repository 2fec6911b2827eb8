import { crc32, createInflateRaw } from 'node:zlib';
import type { SpooledBytes } from '../../kernel/files/spooled-bytes.js';
import { inflateChunks } from './inflate-chunks.js';

/** APPNOTE.TXT of PKWARE, section 4.3. */
const END_SIGNATURE = Buffer.from('PK\u0005\u0006');
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const FILE_BYTES = 30;

/** ZIP stores the length of the archive comment in 16 bits. */
const MAX_COMMENT_BYTES = 0xffff;

/** An archive with one file and its folders needs less. */
const MAX_DIRECTORY_BYTES = 1024 * 1024;

const ENCRYPTED = 1;
const [STORED, DEFLATED] = [0, 8];

/** The archive is damaged, or does not contain exactly one file. The message completes the sentence "The file …". */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

interface Directory {
  readonly bytes: Buffer;
  /** Position of `bytes` in the archive. */
  readonly start: number;
  readonly entries: number;
}

/**
 * Reads the sizes from the directory at the end of the archive, because the header before the file may lack them.
 * Throws `ZipError`, errors of `zlib`, and `RangeError` for wrong positions.
 */
export async function* unzipFile(archive: SpooledBytes, chunkBytes: number): AsyncGenerator<Buffer> {
  const entry = onlyEntryOf(await directoryOf(archive));
  const method = entry.readUInt16LE(10);
  const start = entry.readUInt32LE(42);
  if (entry.readUInt16LE(8) & ENCRYPTED) throw new ZipError('is encrypted');
  if (method !== STORED && method !== DEFLATED) throw new ZipError('uses an unsupported compression method');
  const head = await sliceOf(archive, start, start + FILE_BYTES);
  const from = start + FILE_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = chunksOf(archive, from, from + entry.readUInt32LE(20), chunkBytes);
  let checksum = 0;
  for await (const chunk of method === STORED ? packed : inflateChunks(packed, createInflateRaw())) {
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (checksum !== entry.readUInt32LE(16)) throw new ZipError('is damaged');
}

async function directoryOf(archive: SpooledBytes): Promise<Directory> {
  const tailStart = Math.max(0, archive.size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = await sliceOf(archive, tailStart, archive.size);
  const at = tail.lastIndexOf(END_SIGNATURE);
  if (at < 0 || at + END_BYTES > tail.length) throw new ZipError('is damaged');
  const [entries, start] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 16)];
  const end = Math.min(tailStart + at, start + MAX_DIRECTORY_BYTES);
  return { entries, start, bytes: await sliceOf(archive, start, end) };
}

/** Ignores folders. */
function onlyEntryOf({ bytes, entries: count }: Directory): Buffer {
  const entries: Buffer[] = [];
  let at = 0;
  for (let left = count; left > 0; left--) {
    if (bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new ZipError('is damaged');
    const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
    if (bytes[nameEnd - 1] !== '/'.charCodeAt(0)) entries.push(bytes.subarray(at));
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0) throw new ZipError('does not contain exactly one file');
  return entry;
}

async function* chunksOf(
  archive: SpooledBytes,
  start: number,
  end: number,
  chunkBytes: number,
): AsyncGenerator<Buffer> {
  for (let from = start; from < end; from += chunkBytes) yield sliceOf(archive, from, Math.min(end, from + chunkBytes));
}

async function sliceOf(archive: SpooledBytes, start: number, end: number): Promise<Buffer> {
  if (start > end || end > archive.size) throw new ZipError('is damaged');
  return archive.read(start, end);
}
