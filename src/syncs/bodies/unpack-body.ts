import { createGunzip } from 'node:zlib';
import { FileStoreError } from '../../kernel/files/file-store.js';
import { type SpooledBytes, spoolBytes } from '../../kernel/files/spooled-bytes.js';
import { failureOf } from '../responses/failure-table.js';
import { TapReadError } from '../tap-read-error.js';
import type { BodyLimits } from './body-limits.js';
import { inflateChunks } from './inflate-chunks.js';
import { unzipFile, ZipError } from './unzip-file.js';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZIP_MAGIC = Buffer.from('PK\u0003\u0004');

/**
 * Decompresses a gzip file, or a zip file with one file. Returns any other body unchanged. Content-Encoding is already
 * decoded. Throws `FileStoreError`, and `TapReadError` with class `contract`.
 */
export async function unpackBody(body: SpooledBytes, limits: BodyLimits): Promise<SpooledBytes> {
  const head = await body.read(0, Math.min(body.size, ZIP_MAGIC.length));
  const isGzip = head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  if (!isGzip && !head.equals(ZIP_MAGIC)) return body;
  try {
    const content = isGzip
      ? inflateChunks(body.chunks(limits.partBytes), createGunzip())
      : unzipFile(body, limits.partBytes);
    return await spoolBytes(limitBytes(content, limits.maxBytes), limits);
  } catch (error) {
    if (error instanceof TapReadError || error instanceof FileStoreError) throw error;
    // Messages of other errors may quote the content.
    const problem = error instanceof ZipError ? error.message : 'is damaged';
    throw failureOf('unexpected_shape', { message: `The compressed file in the response ${problem}.` });
  }
}

/** Throws `TapReadError` with class `contract` if the chunks together exceed the limit. */
export async function* limitBytes(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw failureOf('oversized');
    yield chunk;
  }
}
