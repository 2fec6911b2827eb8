import type { Context } from 'koa';
import { matchingTag } from './envelope.js';
import { type Representation, UUID_LENGTH } from './representation.js';

export interface CachedRepresentation extends Representation {
  readonly etag: string;
  /** Headers of a 200. Names and values alternate, as `writeHead` requires. */
  readonly headers: readonly string[];
}

const TRAILER_BYTES = 8;

const CACHE_CONTROL = ['Cache-Control', 'public, no-cache'];

export function headersOf(
  { before, after, coding, trailer, mediaType = 'application/json; charset=utf-8' }: Representation,
  etag: string,
): string[] {
  const length = before.length + UUID_LENGTH + after.length + (trailer ? TRAILER_BYTES : 0);
  return [
    ...['Content-Type', mediaType, 'Content-Length', String(length)],
    ...(coding ? ['Content-Encoding', coding] : []),
    ...['ETag', etag, ...CACHE_CONTROL],
  ];
}

/**
 * Sends a 304 if the client already has the representation. Adds `headers` and the headers that are already set. Does
 * not use Koa, which would set each header separately and measure the body.
 */
export function sendCached(ctx: Context, cached: CachedRepresentation, headers: readonly string[] = []): void {
  const { req, res } = ctx;
  const requestId = ctx.state.requestId as string;
  ctx.respond = false;
  const named = matchingTag(req.headers['if-none-match'], cached.etag);
  if (named !== undefined) {
    res.writeHead(304, [...headers, 'ETag', named, ...CACHE_CONTROL]).end();
    return;
  }
  res.writeHead(200, headers.concat(cached.headers) as string[]);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  // Joining the two pieces would copy the whole response each time.
  res.write(cached.before);
  res.end(tailOf(cached, requestId));
}

function tailOf({ after, trailer }: Representation, requestId: string): Buffer {
  const end = UUID_LENGTH + after.length;
  const tail = Buffer.allocUnsafe(end + (trailer ? TRAILER_BYTES : 0));
  tail.write(requestId, 'latin1');
  tail.set(after, UUID_LENGTH);
  if (trailer) tail.set(trailer(requestId), end);
  return tail;
}
