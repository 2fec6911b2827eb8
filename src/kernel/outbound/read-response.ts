import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { FileStoreError } from '../files/file-store.js';
import { type SpooledBytes, spoolBytes } from '../files/spooled-bytes.js';
import { OutboundError } from './outbound-error.js';

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  /** If `spooled` is set, only the start of the body. */
  readonly body: Buffer;
  /** The whole body, if it exceeds `Spool.memoryBytes`. The caller must call `discard` after use. */
  readonly spooled?: SpooledBytes;
  /** URL after redirects. */
  readonly url: string;
}

/** Storage for large bodies of successful responses. */
export interface Spool {
  readonly folder: string;
  /**
   * Size above which the client stores a body in a file. The timeout of the call restarts each time another
   * `memoryBytes` bytes have arrived.
   */
  readonly memoryBytes: number;
  /** Maximum size of the stored body after decompression. */
  readonly maxBytes: number;
}

interface BodyLimits {
  readonly maxBytes: number;
  readonly spool?: Spool | undefined;
  readonly onProgress?: () => void;
}

const WITHOUT_BODY = [204, 205, 304];
const MAX_CHUNKS = 1_024;

/** If the whole body is in a spool file, `body` contains only this many bytes from its start. */
const HEAD_BYTES = 64 * 1_024;

export async function readResponse(
  reply: Dispatcher.ResponseData,
  { url, method, ...limits }: { url: URL; method: string } & BodyLimits,
): Promise<OutboundResponse> {
  const { statusCode: status, body } = reply;
  try {
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(reply.headers)) {
      for (const value of [values].flat()) headers.append(name, value);
    }
    const empty = method === 'HEAD' || WITHOUT_BODY.includes(status) || headers.get('content-length') === '0';
    const content = empty ? body : decoded(body, headers);
    const isSpooled = limits.spool && status >= 200 && status < 300;
    const read = isSpooled ? await spool(content, limits as BodyLimits & { spool: Spool }) : undefined;
    return { status, headers, url: url.href, ...(read ?? { body: await collect(content, limits.maxBytes) }) };
  } catch (error) {
    discardResponse(reply);
    // The new error has no cause, because the cause may quote the body.
    throw error instanceof OutboundError || error instanceof FileStoreError ? error : new OutboundError('broken_reply');
  }
}

async function spool(
  body: Readable,
  { spool: { maxBytes, ...options }, onProgress }: BodyLimits & { spool: Spool },
): Promise<Pick<OutboundResponse, 'body' | 'spooled'>> {
  const spooled = await spoolBytes(limited(body, maxBytes), { ...options, ...(onProgress && { onProgress }) });
  if (spooled.size <= options.memoryBytes) return { body: await spooled.read(0, spooled.size) };
  return { spooled, body: await spooled.read(0, HEAD_BYTES) };
}

async function* limited(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError('reply_too_large');
    yield chunk;
  }
}

/** Returns undefined if the body is not JSON. */
export function parseJsonResponse({ body }: OutboundResponse): unknown {
  try {
    // Some vendors send a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
    return JSON.parse(body.toString().replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Returns the decompressed body. Removes the headers that describe the encoding of the body. */
function decoded(body: Readable, headers: Headers): Readable {
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : undefined;
  if (!decoder) throw new OutboundError('broken_reply');
  headers.delete('content-encoding');
  headers.delete('content-length');
  return pipeline(body, decoder, () => undefined);
}

async function collect(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of limited(body, maxBytes)) {
    // Without `concat`, a body that arrives byte by byte would take a hundred times its size in memory.
    if (chunks.push(chunk) === MAX_CHUNKS) chunks.splice(0, MAX_CHUNKS, Buffer.concat(chunks));
  }
  return Buffer.concat(chunks);
}

/** Closes the connection. */
export function discardResponse({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined).destroy();
}
