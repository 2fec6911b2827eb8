import type { Context } from 'koa';
import type { Route } from './routes/route.js';

/** A reply around its request id: everything else of it is the same for every caller who asks the same. */
export interface Representation {
  readonly before: Buffer;
  readonly after: Buffer;
}

interface Page {
  limit: number;
  offset: number;
  total: number;
}

/** `data` as JSON text, wrapped: `{ data, meta: { requestId, totalCount }, links? }`. */
export function envelope(data: string, page: Page | undefined, address: () => URL): Representation {
  const links = page ? `,"links":${JSON.stringify(linksOf(page, address()))}` : '';
  return {
    before: Buffer.from(`{"data":${data},"meta":{"requestId":"`),
    after: Buffer.from(`","totalCount":${page?.total ?? null}}${links}}`),
  };
}

/** Sends a reply around its request id, a UUID. In pieces: to put them together would copy the whole each time. */
export function send(ctx: Context, { before, after }: Representation, requestId: string): void {
  ctx.status = 200;
  ctx.type = 'application/json';
  ctx.length = before.length + requestId.length + after.length;
  ctx.respond = false;
  if (ctx.method === 'HEAD') {
    ctx.res.end();
    return;
  }
  ctx.res.write(before);
  ctx.res.write(requestId, 'latin1');
  ctx.res.end(after);
}

/** A text of another media type, by itself. Nothing in it may run or load anything, wherever it is opened. */
export function sendText(ctx: Context, text: string, mediaType: string): void {
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  ctx.set('Content-Type', `${mediaType}; charset=utf-8`);
  ctx.body = text;
}

/**
 * Names the state of a reply of success, and turns it into a 304 where the client has it already (RFC 9110, section 13.1.2). `ctx.fresh` does not where the
 * request has `Cache-Control: no-cache`, which is for caches on the way and comes with each If-None-Match that is handed to `fetch`.
 */
export function isStillRight(ctx: Context, etag: string, cacheControl: string): boolean {
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', cacheControl);
  if (!isNamedBy(ctx.get('If-None-Match'), etag)) return false;
  ctx.status = 304;
  return true;
}

const ENTITY_TAGS = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** By the weak comparison: whether a tag is marked as weak makes no difference. */
function isNamedBy(header: string, etag: string): boolean {
  return header.trim() === '*' || [...header.matchAll(ENTITY_TAGS)].some(([, tag]) => tag === etag);
}

export function pageOf(route: Route, data: unknown): Page | undefined {
  return route.paged ? (data as Page) : undefined;
}

function linksOf(
  { limit, offset, total }: Page,
  address: URL,
): Record<'first' | 'last' | 'next' | 'prev', string | null> {
  const link = (to: number): string => {
    const url = new URL(address);
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(to));
    return url.href;
  };
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  return {
    first: link(0),
    last: link(last),
    next: offset + limit < total ? link(offset + limit) : null,
    prev: offset > 0 ? link(Math.max(0, Math.min(offset - limit, last))) : null,
  };
}
