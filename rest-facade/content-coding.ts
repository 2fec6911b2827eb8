import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { type ContentCoding, type Representation, UUID_LENGTH } from './representation.js';

/** Compressing a smaller response saves less than one packet. */
const MIN_COMPRESSED_BYTES = 1_024;

const PREFERRED = ['br', 'gzip', 'identity'];

/** Browsers and libraries send few different Accept-Encoding headers. */
const NEGOTIATED = new LRUCache<string, ContentCoding | 'identity'>({ max: 100 });

/** Returns the content coding that the client prefers for a response of this many bytes. Undefined means no coding. */
export function negotiateCoding(
  { headers }: { readonly headers: IncomingHttpHeaders },
  bytes: number,
): ContentCoding | undefined {
  const accepted = headers['accept-encoding'];
  if (bytes < MIN_COMPRESSED_BYTES || !accepted) return undefined;
  let coding = NEGOTIATED.get(accepted);
  if (!coding) {
    const found = new Negotiator({ headers }).encoding(PREFERRED, { preferred: PREFERRED });
    coding = found === 'br' || found === 'gzip' ? found : 'identity';
    NEGOTIATED.set(accepted, coding);
  }
  return coding === 'identity' ? undefined : coding;
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const COMPRESS: Readonly<Record<ContentCoding, (bytes: string | Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: promisify(gzip),
};

export function compress(coding: ContentCoding, bytes: string | Buffer): Promise<Buffer> {
  return COMPRESS[coding](bytes);
}

/**
 * The compressed stream contains the request id in an uncompressed block, so one compression serves all requests. The
 * ETag is weak, because the bytes differ from the uncompressed bytes (RFC 9110, section 8.8.1).
 */
export async function compressRepresentation(
  plain: Representation & { etag: string },
  coding: ContentCoding,
): Promise<Representation> {
  return { ...(await ENCODERS[coding](plain)), coding, etag: `W/${plain.etag}` };
}

const ENCODERS = { br: encodeBrotli, gzip: encodeGzip };

/** The stream ends at a byte boundary, so that other blocks can follow. */
const FLUSHED_BROTLI = { ...BROTLI, finishFlush: constants.BROTLI_OPERATION_FLUSH };
const FLUSHED_DEFLATE = { finishFlush: constants.Z_SYNC_FLUSH };

/** An empty last meta-block (RFC 7932, section 9.2). */
const BROTLI_END = Buffer.of(0x03);

async function encodeBrotli({ before, after }: Representation): Promise<Representation> {
  const compressed = await promisify(brotliCompress)(before, FLUSHED_BROTLI);
  // Header of an uncompressed meta-block: ISLAST 0, MNIBBLES 4, MLEN - 1 in 16 bits, ISUNCOMPRESSED 1, padding.
  const header = Buffer.alloc(3);
  header.writeUIntLE(((blockBytes(after) - 1) << 3) | (1 << 19), 0, 3);
  return { before: Buffer.concat([compressed, header]), after: Buffer.concat([after, BROTLI_END]) };
}

/** Method deflate, no flags, no time, unknown system (RFC 1952, section 2.3). */
const GZIP_HEADER = Buffer.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff);

async function encodeGzip({ before, after }: Representation): Promise<Representation> {
  const compressed = await promisify(deflateRaw)(before, FLUSHED_DEFLATE);
  // Header of the last block, which is not compressed: BFINAL 1, BTYPE 00, padding, LEN, NLEN (RFC 1951, 3.2.4).
  const length = blockBytes(after);
  const header = Buffer.alloc(5);
  header.writeUInt8(1, 0);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(0xffff ^ length, 3);
  const checksum = crc32(before);
  const trailer = (requestId: string): Buffer => {
    const end = Buffer.alloc(8);
    end.writeUInt32LE(crc32(after, crc32(requestId, checksum)), 0);
    end.writeUInt32LE((before.length + length) % 2 ** 32, 4);
    return end;
  };
  return { before: Buffer.concat([GZIP_HEADER, compressed, header]), after, trailer };
}

/**
 * Returns the length of the uncompressed block, which contains a request id and at most four links. In gzip and Brotli,
 * such a block may have up to 65,535 bytes.
 */
function blockBytes(after: Buffer): number {
  const length = UUID_LENGTH + after.length;
  if (length > 0xffff)
    throw new RangeError(`the request id and the links have ${length} bytes; an uncompressed block has at most 65535`);
  return length;
}
