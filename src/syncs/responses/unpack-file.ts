import { gunzipSync } from 'node:zlib';
import { failureOf } from './failure-table.js';
import { readZipFile, ZipError } from './read-zip-file.js';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZIP_MAGIC = Buffer.from('PK\u0003\u0004');

/**
 * The content of a gzip file or of a zip file with one file; any other body unchanged. Content-Encoding is already
 * decoded. At most `maxBytes` are decompressed. Throws a contract error.
 */
export function unpackFile(body: Buffer, maxBytes: number): Buffer {
  try {
    if (body.subarray(0, 2).equals(GZIP_MAGIC)) return gunzipSync(body, { maxOutputLength: maxBytes });
    if (body.subarray(0, 4).equals(ZIP_MAGIC)) return readZipFile(body, maxBytes);
    return body;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw failureOf('oversized');
    // Other messages may quote the content.
    const problem = error instanceof ZipError ? error.message : 'is damaged';
    throw failureOf('unexpected_shape', { message: `The compressed file in the response ${problem}.` });
  }
}
