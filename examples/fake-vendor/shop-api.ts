import type { ShopData } from './shop-data.js';

export interface ShopResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** API keys that the vendor accepts, and the paths that each key cannot read. */
const API_KEYS: Readonly<Record<string, readonly string[]>> = { 'demo-key': [], 'limited-key': ['/v1/orders'] };

const MAX_PAGE_SIZE = 100;
const ADDRESSES = /^\/v1\/customers\/(\d+)\/addresses$/;

/** Returns the response to a request below `/v1`. These requests require an API key. */
export function readShop(data: ShopData, { pathname, searchParams }: URL, apiKey: string | undefined): ShopResponse {
  const forbidden = apiKey === undefined ? undefined : API_KEYS[apiKey];
  if (!forbidden) return { status: 401, body: { error: 'The API key is not valid.' } };
  if (forbidden.includes(pathname))
    return { status: 403, body: { error: 'The API key lacks the permission to read this resource.' } };
  const body = bodyOf(data, pathname, searchParams);
  return body ? { status: 200, body } : { status: 404, body: { error: 'Not found.' } };
}

function bodyOf(data: ShopData, path: string, query: URLSearchParams): object | undefined {
  if (path === '/v1/me') return { email: 'owner@fake-shop.example' };
  if (path === '/v1/customers') return customersPage(data, query);
  if (path === '/v1/orders') return ordersPage(data, query);
  const [, customerId] = ADDRESSES.exec(path) ?? [];
  const addresses = customerId && data.addressesOf(Number(customerId));
  return addresses ? { addresses } : undefined;
}

function customersPage({ customers }: ShopData, query: URLSearchParams): object {
  const [page, size] = [Number(query.get('page') ?? 1), pageSizeOf(query.get('per_page'))];
  return { customers: customers.slice((page - 1) * size, page * size), pages: Math.ceil(customers.length / size) };
}

/**
 * Returns a page of orders. The cursor is the change time and id of the last order of the page. The next page skips no
 * order, even if an order changes before the next request.
 */
function ordersPage(data: ShopData, query: URLSearchParams): object {
  const size = pageSizeOf(query.get('limit'));
  const [time = '', id = '0'] = query.get('cursor')?.split(' ') ?? [];
  const since = time || (query.get('updated_since') ?? '1970-01-01T00:00:00Z');
  const found = data.ordersSince(since).filter((order) => order.updated_at !== time || order.id > Number(id));
  const orders = found.slice(0, size);
  const last = orders.at(-1);
  return { orders, next_cursor: last && found.length > size ? `${last.updated_at} ${last.id}` : null };
}

function pageSizeOf(text: string | null): number {
  return Math.min(Math.max(Number(text ?? 20) || 20, 1), MAX_PAGE_SIZE);
}
