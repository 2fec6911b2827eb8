import {
  jsonOf,
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from './simulated-tap-pages.js';
import type { SimulatedRecord } from './simulated-tap-records.js';

/** Each element of the list is an object with one member. The last page has no cursor. */
function chargebee(resource: string): Respond {
  return (call, data) => {
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('offset'));
    return ok({ list: records.map((record) => ({ [resource]: record })), ...(cursor && { next_offset: cursor }) });
  };
}

const withDeleted = (resource: string): Respond => withParameters({ include_deleted: 'true' }, chargebee(resource));

/** Times in `*_gmt` fields have no zone. */
const woocommerce: Respond = (call, data) => {
  const page = numberOf(call, 'page', 1);
  const size = call.url.searchParams.has('per_page') ? PAGE_SIZE : 10;
  const { records, next, total } = pageAt(data, (page - 1) * size, size);
  const links = [
    ...(page > 1 ? [`<${linkOf(call, { page: page - 1 }).href}>; rel="prev"`] : []),
    ...(next === undefined ? [] : [`<${linkOf(call, { page: page + 1 }).href}>; rel="next"`]),
  ];
  const headers = { 'x-wp-total': `${total}`, 'x-wp-totalpages': `${Math.ceil(total / size)}` };
  return ok(records.map(withoutZones), { ...headers, ...(links.length > 0 && { link: links.join(', ') }) });
};

const woocommerceNotes: Respond = (_, { records }) => ok(records.map(withoutZones));

function withoutZones(record: SimulatedRecord): SimulatedRecord {
  const fields = Object.entries(record);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, name.endsWith('_gmt') && value ? `${value}`.replace(/Z$/, '') : value]),
  );
}

const inGmt = withParameters({ dates_are_gmt: 'true' }, woocommerce);

function square(list: string): Respond {
  return (call, data) => {
    const sent = call.method === 'POST' ? jsonOf(call).cursor : call.url.searchParams.get('cursor');
    const { records, cursor } = pageAtCursor(data, sent);
    return ok({ ...(records.length > 0 && { [list]: records }), ...(cursor && { cursor }) });
  };
}

/** Requires a location. Requires `UPDATED_AT` as the sort field, because the time filter uses this field. */
const squareOrders: Respond = (call, data) => {
  const { location_ids, query } = jsonOf(call) as unknown as SquareOrders;
  if (location_ids.join() !== 'id-0') throw new RejectedRequest('The request has no location.');
  if (query.sort.sort_field !== 'UPDATED_AT') throw new RejectedRequest('The order differs from the filter.');
  return square('orders')(call, data);
};

interface SquareOrders {
  readonly location_ids: readonly string[];
  readonly query: { readonly sort: { readonly sort_field: string } };
}

const ofLocation = { location_id: 'id-0' };
const byUpdate = { sort_field: 'UPDATED_AT' };

export const COMMERCE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'chargebee/rest-api': {
    bases: ['https://acme.chargebee.com/api/v2'],
    pages: {
      'GET /customers': withDeleted('customer'),
      'GET /subscriptions': withDeleted('subscription'),
      'GET /invoices': withDeleted('invoice'),
      'GET /credit_notes': withDeleted('credit_note'),
      'GET /transactions': withDeleted('transaction'),
      'GET /orders': withDeleted('order'),
      'GET /items': chargebee('item'),
      'GET /item_prices': chargebee('item_price'),
      'GET /coupons': chargebee('coupon'),
      'GET /events': chargebee('event'),
    },
  },
  'square/rest-api': {
    bases: ['https://connect.squareup.com/v2'],
    pages: {
      'POST /customers/search': square('customers'),
      'POST /orders/search': squareOrders,
      'GET /payments': withParameters({ ...ofLocation, ...byUpdate }, square('payments')),
      'GET /refunds': withParameters(byUpdate, square('refunds')),
      'GET /catalog/list': square('objects'),
      'POST /team-members/search': square('team_members'),
      'GET /invoices': withParameters(ofLocation, square('invoices')),
      'GET /disputes': square('disputes'),
    },
    lists: { 'GET /locations': (_, { records }) => ok(records.length > 0 ? { locations: records } : {}) },
  },
  'woocommerce/rest-api': {
    bases: ['https://data.acme.test/wp-json/wc/v3'],
    pages: {
      'GET /orders': inGmt,
      'GET /orders/*/refunds': woocommerce,
      'GET /products': inGmt,
      'GET /products/*/variations': woocommerce,
      'GET /customers': withParameters({ role: 'all' }, woocommerce),
      'GET /coupons': inGmt,
      'GET /products/categories': woocommerce,
      'GET /products/tags': woocommerce,
      'GET /products/reviews': withParameters({ status: 'all' }, woocommerce),
      'GET /taxes': woocommerce,
    },
    lists: { 'GET /orders/*/notes': woocommerceNotes },
  },
};
