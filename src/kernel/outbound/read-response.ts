import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OutboundError } from './outbound-error.js';

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Where the reply comes from, behind all redirects. */
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
    // Without a cause, because that may quote what could not be read.
    throw error instanceof OutboundError ? error : new OutboundError('broken_reply');
  }
}

/** The body as a JSON value; undefined where it is none. */
export function parseJsonResponse({ body }: OutboundResponse): unknown {
  try {
    // Some vendors begin with a byte order mark, which is no part of JSON (RFC 8259, section 8.1).
    return JSON.parse(body.toString().replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** The body as it was before it was packed; the headers no longer say that it is. */
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
    // A body sent byte by byte would take a hundred times its size.
    if (chunks.push(chunk) === MAX_CHUNKS) chunks.splice(0, MAX_CHUNKS, Buffer.concat(chunks));
  }
  return Buffer.concat(chunks);
}

/** Nothing more is read of it, and its connection is given up. */
export function discardResponse({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined).destroy();
}
