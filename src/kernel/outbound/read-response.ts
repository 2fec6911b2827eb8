import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OutboundError } from './outbound-error.js';

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The URL of the response, after redirects. */
  readonly url: string;
}

const WITHOUT_BODY = [204, 205, 304];
const MAX_CHUNKS = 1_024;

export async function readResponse(
  reply: Dispatcher.ResponseData,
  { url, method, maxBytes }: { url: URL; method: string; maxBytes: number },
): Promise<OutboundResponse> {
  const { statusCode: status, body } = reply;
  try {
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(reply.headers)) {
      for (const value of [values].flat()) headers.append(name, value);
    }
    const empty = method === 'HEAD' || WITHOUT_BODY.includes(status) || headers.get('content-length') === '0';
    return { status, headers, body: await collect(empty ? body : decoded(body, headers), maxBytes), url: url.href };
  } catch (error) {
    discardResponse(reply);
    // Without a cause, which may quote the body.
    throw error instanceof OutboundError ? error : new OutboundError('broken_reply');
  }
}

/** The body as a JSON value; undefined if it is not JSON. */
export function parseJsonResponse({ body }: OutboundResponse): unknown {
  try {
    // Some vendors send a byte order mark, which JSON does not allow (RFC 8259, section 8.1).
    return JSON.parse(body.toString().replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Decompresses the body and removes the headers of its encoding. */
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
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError('reply_too_large');
    // A body that arrives byte by byte would otherwise use a hundred times its size.
    if (chunks.push(chunk) === MAX_CHUNKS) chunks.splice(0, MAX_CHUNKS, Buffer.concat(chunks));
  }
  return Buffer.concat(chunks);
}

/** Discards the body and closes its connection. */
export function discardResponse({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined).destroy();
}
