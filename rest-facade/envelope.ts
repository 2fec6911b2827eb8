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

const ID_LENGTH = 36;

/** `data` as JSON text, wrapped: `{ data, meta: { requestId, totalCount }, links? }`. */
export function envelope(data: string, page: Page | undefined, address: URL): Representation {
  const links = page ? `,"links":${JSON.stringify(linksOf(page, address))}` : '';
  return {
    before: Buffer.from(`{"data":${data},"meta":{"requestId":"`),
    after: Buffer.from(`","totalCount":${page?.total ?? null}}${links}}`),
  };
}

/** The bytes of one reply. The id is a UUID, so it needs no escaping. */
export function replyBytes({ before, after }: Representation, requestId: string): Buffer {
  const bytes = Buffer.allocUnsafe(before.length + ID_LENGTH + after.length);
  before.copy(bytes);
  bytes.write(requestId, before.length, 'latin1');
  after.copy(bytes, before.length + ID_LENGTH);
  return bytes;
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
