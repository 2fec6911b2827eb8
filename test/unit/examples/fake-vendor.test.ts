import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FakeVendor } from '../../../examples/fake-vendor/fake-vendor.js';
import { RequestWindow } from '../../../examples/fake-vendor/request-window.js';

const vendor = await FakeVendor.start({ orders: 120, requestsPerSecond: 1_000 });
afterAll(() => vendor.stop());
afterEach(() => vendor.faults.switchOff());

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Body = any;

async function get(path: string, key = 'demo-key'): Promise<{ status: number; headers: Headers; body: Body }> {
  const response = await fetch(vendor.origin + path, { headers: { 'x-api-key': key } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const control = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(vendor.origin + path, { method, ...(body && { body: JSON.stringify(body) }) });

async function orderIds(query = ''): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(`/v1/orders?limit=50${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    ids.push(...body.orders.map(({ id }: { id: number }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

describe('the fake vendor', () => {
  it.each([
    ['/v1/me', 'demo-key', 200],
    ['/v1/me', 'wrong', 401],
    ['/v1/customers', 'limited-key', 200],
    ['/v1/orders', 'limited-key', 403],
    ['/v1/nothing', 'demo-key', 404],
    ['/v1/customers/999/addresses', 'demo-key', 404],
  ])('responds to %s with %s: %i', async (path, key, status) => {
    expect((await get(path, key)).status).toBe(status);
  });

  it('returns each order on one page', async () => {
    expect(await orderIds()).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
  });

  it('returns orders that were added and changed since a time', async () => {
    const since = new Date().toISOString();
    await control('POST', '/orders', { id: 7, status: 'returned' });
    await control('POST', '/orders', { customer_id: 3, total: 12.5 });
    expect((await orderIds(`&updated_since=${since}`)).sort()).toEqual([121, 7]);
  });

  it('returns each customer on one page, with as many addresses as address_count says', async () => {
    const pages = await Promise.all([1, 2].map((page) => get(`/v1/customers?page=${page}&per_page=20`)));
    const customers = pages.flatMap(({ body }) => body.customers);
    expect(customers.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    const { id, address_count } = customers[3];
    expect((await get(`/v1/customers/${id}/addresses`)).body.addresses).toHaveLength(address_count);
  });

  it('replaces as many responses of a path as a fault says', async () => {
    const fault = { path: '/v1/me', status: 429, headers: { 'retry-after': '20' }, times: 2 };
    await control('POST', '/faults', fault);
    const replies = [await get('/v1/me'), await get('/v1/customers'), await get('/v1/me'), await get('/v1/me')];
    expect(replies.map(({ status }) => status)).toEqual([429, 200, 429, 200]);
    expect(replies[0]?.headers.get('retry-after')).toBe('20');
  });

  it('ends delays when the faults are switched off', async () => {
    await control('POST', '/faults', { delayMs: 600_000 });
    const reply = get('/v1/me');
    await expect.poll(() => vendor.requests.at(-1)).toBe('/v1/me');
    await control('DELETE', '/faults');
    expect((await reply).status).toBe(200);
  });

  it('limits the requests of each key per second', () => {
    const window = new RequestWindow(2);
    const admitted = [1_000, 1_100, 1_999, 2_000].map((now) => window.admits('one', now));
    expect([...admitted, window.admits('other', 2_000)]).toEqual([true, true, false, true, true]);
  });
});
