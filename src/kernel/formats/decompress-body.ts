import { promisify } from 'node:util';
import { brotliDecompress, gunzip, unzip } from 'node:zlib';
import { AppError } from '../errors.js';
import { formatBytes } from './format-bytes.js';

/** RFC 9110, section 8.4.1. `br`: RFC 7932. */
const DECODERS = {
  gzip: promisify<Buffer, object, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, object, Buffer>(gunzip),
  deflate: promisify<Buffer, object, Buffer>(unzip),
  br: promisify<Buffer, object, Buffer>(brotliDecompress),
};

export type RequestContentCoding = keyof typeof DECODERS;

/**
 * Decodes a body whose coding is one of `codings`. The decoded body has at most `limit` bytes. Returns a body without
 * Content-Encoding, or with the coding `identity`, unchanged. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE and
 * BAD_REQUEST.
 */
export async function decompressBody(
  body: Buffer,
  encoding: string | undefined,
  { codings, limit }: { codings: readonly RequestContentCoding[]; limit: number },
): Promise<Buffer> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity') return body;
  const coding = codings.find((known) => known === name);
  if (!coding) throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Content-Encoding must be one of ${codings.join(', ')}.`);
  try {
    return await DECODERS[coding](body, { maxOutputLength: limit, rejectGarbageAfterEnd: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The decompressed request body exceeds the limit of ${formatBytes(limit)}.`,
      );
    throw new AppError('BAD_REQUEST', `The body is not valid ${coding}.`);
  }
}
