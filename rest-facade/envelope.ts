import type { Context } from 'koa';
import type { Route } from './routes/route.js';

interface Page {
  limit: number;
  offset: number;
  total: number;
}

/** A list requested without paging. */
type Complete = Pick<Page, 'total'>;

/**
 * `data` is JSON text. Returns the texts before and after the request id in `{ data, meta: { requestId, totalCount },
 * links? }`.
 */
export function wrapInEnvelope(
  data: string,
  page: Page | Complete | undefined,
  address: () => URL,
): [before: string, after: string] {
  const links = page && 'limit' in page ? `,"links":${JSON.stringify(linksOf(page, address()))}` : '';
  return [`{"data":${data},"meta":{"requestId":"`, `","totalCount":${page?.total ?? null}}${links}}`];
}

/** Sends bytes, because Koa would measure a string, and Node would copy the string to join it with the headers. */
export function sendJson(ctx: Context, [before, after]: [before: string, after: string], requestId: string): void {
  ctx.type = 'application/json';
  ctx.body = Buffer.from(before + requestId + after);
}

/** The content security policy prevents the response from running scripts or loading resources. */
export function sendText(ctx: Context, text: string, mediaType: string): void {
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  ctx.set('Content-Type', `${mediaType}; charset=utf-8`);
  ctx.body = text;
}

/**
 * Sets the ETag and the Cache-Control of a successful response. If the client already has the response, changes it to a
 * 304 and returns true (RFC 9110, section 13.1.2). `ctx.fresh` is not sufficient, because it ignores If-None-Match for
 * requests with `Cache-Control: no-cache`. `fetch` adds that header to every request with an explicit If-None-Match.
 */
export function isNotModified(ctx: Context, etag: string, cacheControl: string): boolean {
  const named = matchingTag(ctx.headers['if-none-match'], etag);
  ctx.res.setHeader('ETag', named ?? etag);
  ctx.res.setHeader('Cache-Control', cacheControl);
  if (named === undefined) return false;
  ctx.status = 304;
  return true;
}

const ENTITY_TAGS = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Returns the matching entity tag of the header, exactly as the client sent it, because a cache updates the entry that
 * has the tag of the 304 (RFC 9111, section 4.3.4). For `*`, returns `etag`. The comparison is weak, because the client
 * may have the response with or without a content coding.
 */
export function matchingTag(header: string | undefined, etag: string): string | undefined {
  if (!header) return undefined;
  if (header.trim() === '*') return etag;
  const opaque = etag.replace(/^W\//, '');
  return [...header.matchAll(ENTITY_TAGS)].find(([, tag]) => tag === opaque)?.[0];
}

interface OperationData {
  readonly data: unknown;
  readonly totalCount?: unknown;
}

interface PageVariables {
  readonly limit?: unknown;
  readonly offset?: unknown;
}

/** Returns undefined if the response is not a list. */
export function responsePageOf(
  route: Route,
  { data, totalCount }: OperationData,
  { limit, offset }: PageVariables,
): Page | Complete | undefined {
  if (route.paged) return data as Page;
  if (!route.listed) return undefined;
  // Without `limit` and `offset`, `data` is the complete list. `totalCount` could include a concurrent insert.
  if (limit === undefined) return { total: offset ? (totalCount as number) : (data as unknown[]).length };
  return { limit: Number(limit), offset: Number(offset ?? 0), total: totalCount as number };
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
