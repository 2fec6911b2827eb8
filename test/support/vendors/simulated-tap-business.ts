import { graphqlConnection } from './simulated-tap-graphql.js';
import {
  cursorAt,
  jsonOf,
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pageAtCursor,
  pick,
  RejectedRequest,
  type Respond,
  selectedColumns,
  type VendorDialect,
  withParameters,
} from './simulated-tap-pages.js';
import { type SimulatedRecord, timeOf } from './simulated-tap-records.js';
import { salesforce } from './simulated-tap-salesforce.js';

/** Maximum number of results of one search. HubSpot allows 10,000. */
export const HUBSPOT_SEARCH_LIMIT = 4;

/** In seconds since 1970. Later than the start of every time window. */
const EXPORT_TIME = 1_790_000_000;

interface HubspotSearch {
  readonly sorts: readonly { propertyName: string; direction: string }[];
  readonly filterGroups: readonly { filters: readonly { propertyName: string; operator: string; value: string }[] }[];
}

/** Accepts only searches that are sorted by id and start after an id. */
const hubspotSearch: Respond = (call, data) => {
  const { sorts, filterGroups, after, limit } = jsonOf(call) as unknown as HubspotSearch & Record<string, unknown>;
  if (Number(after ?? 0) + PAGE_SIZE > HUBSPOT_SEARCH_LIMIT)
    throw new RejectedRequest('The search has too many results.');
  if (Number(limit) > 200) throw new RejectedRequest('The page is too large.');
  const isSorted = sorts[0]?.propertyName === 'hs_object_id' && sorts[0].direction === 'ASCENDING';
  const filter = filterGroups[0]?.filters.find(({ propertyName }) => propertyName === 'hs_object_id');
  if (!isSorted || filter?.operator !== 'GT') throw new RejectedRequest('The search cannot start after a record.');
  const records = data.records.filter(({ id }) => Number(id) > Number(filter.value));
  return hubspot(call, { ...data, records });
};

/** `paging` is missing on the last page, and `properties` contains only the requested properties. */
const hubspot: Respond = (call, data) => {
  const isSearch = call.method === 'POST';
  const { after, properties = [] } = isSearch ? jsonOf(call) : parametersOf(call.url);
  const { records, next } = pageAt(data, Number(after ?? 0));
  const results = records.map((record) =>
    'properties' in record
      ? { ...record, properties: pick(record.properties as SimulatedRecord, properties as string[]) }
      : record,
  );
  const link = linkOf(call, { after: next ?? '' }).href;
  const paging = next !== undefined && { paging: { next: { after: `${next}`, ...(!isSearch && { link }) } } };
  return ok({ ...(isSearch && { total: data.records.length }), results, ...paging });
};

function parametersOf({ searchParams }: URL): Record<string, unknown> {
  const properties = searchParams.get('properties')?.split(',');
  return { after: searchParams.get('after') ?? undefined, ...(properties && { properties }) };
}

/** Values are strings, and columns without a value are missing. The offset must be a multiple of the limit. */
const netsuite: Respond = (call, data) => {
  if (call.headers.prefer !== 'transient') throw new RejectedRequest('The request does not prefer transient.');
  const limit = numberOf(call, 'limit', 1_000);
  const offset = numberOf(call, 'offset', 0);
  if (offset % limit !== 0) throw new RejectedRequest('The offset is not a multiple of the limit.');
  const { records, next, total } = pageAt(data, offset, limit);
  const columns = selectedColumns(`${jsonOf(call).q}`).map((column) => column.split(/ AS |\./).at(-1) ?? '');
  const items = records.map((record) => ({ links: [], ...asTexts(pick(record, columns)) }));
  return ok({ links: [], count: items.length, hasMore: next !== undefined, items, offset, totalResults: total });
};

function asTexts(record: SimulatedRecord): SimulatedRecord {
  const values = Object.entries(record).filter(([, value]) => value !== null);
  return Object.fromEntries(values.map(([name, value]) => [name, `${value}`]));
}

/** Version 2 of the API. The cursor is null on the last page. */
const pipedrive: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  return ok({ success: true, data: records, additional_data: { next_cursor: cursor ?? null } });
};

/** Version 1 of the API. An empty list is null. */
const pipedriveList: Respond = (call, data) => {
  const start = numberOf(call, 'start', 0);
  const limit = numberOf(call, 'limit', 100);
  const { records, next } = pageAt(data, start, limit);
  const more = next === undefined ? {} : { next_start: next };
  const pagination = { start, limit, more_items_in_collection: next !== undefined, ...more };
  return ok({ success: true, data: records.length > 0 ? records : null, additional_data: { pagination } });
};

/** Version 1 of the API, for lists without pages. */
const pipedriveWhole: Respond = (_, { records }) => ok({ success: true, data: records.length > 0 ? records : null });

/** `starting_after` is the id of the last record of the previous page. */
const stripe: Respond = (call, data) => {
  const after = call.url.searchParams.get('starting_after');
  const index = after === null ? -1 : data.records.findIndex(({ id }) => id === after);
  if (after !== null && index < 0) throw new RejectedRequest(`No such object: ${after}`);
  const { records, next } = pageAt(data, index + 1);
  return ok({ object: 'list', url: call.url.pathname, has_more: next !== undefined, data: records });
};

const STRIPE_EVENTS: Readonly<Record<string, string>> = { invoices: 'invoice', charges: 'charge' };

/** Returns events of invoices or charges. Each page starts with an event of a refund, which the tap must ignore. */
const stripeEvents: Respond = (call, data) => {
  const object = STRIPE_EVENTS[data.tap.name];
  if (!object) return stripe(call, data);
  if (call.url.searchParams.get('type') !== `${object}.*`) throw new RejectedRequest('The events have other types.');
  const records = data.records.map(({ event_type, event_created: created, ...record }, nth) => ({
    ...{ id: `evt_${nth}`, object: 'event', type: event_type, created, data: { object: { ...record, object } } },
  }));
  const { body, ...reply } = stripe(call, { ...data, records });
  const other = { id: 'evt_other', object: 'event', type: 'invoice.upcoming', data: { object: { object: 'refund' } } };
  const list = body as { data: readonly object[] };
  return { ...reply, body: { ...list, data: list.data.length > 0 ? [other, ...list.data] : [] } };
};

/** Returns objects instead of events. */
const stripeObjects: Respond = (call, data) => stripe(call, { ...data, records: data.records.map(withoutEvent) });

function withoutEvent({ event_type: _, event_created: __, ...record }: SimulatedRecord): SimulatedRecord {
  return record;
}

const stripeItems: Respond = (call, data) => {
  if (!call.url.searchParams.get('subscription')) throw new RejectedRequest('The parameter subscription is required.');
  return stripe(call, data);
};

/** An incremental export requires a start or a cursor. The last page also contains a cursor. */
function zendeskExport(list: string): Respond {
  return (call, data) => {
    const cursor = call.url.searchParams.get('cursor');
    if (!cursor && !call.url.searchParams.has('start_time')) throw new RejectedRequest('start_time is required.');
    const page = pageAtCursor(data, cursor);
    const after = cursorAt(page.next ?? page.total);
    const link = linkOf(call, { cursor: after }).href;
    const end = { end_of_stream: page.next === undefined, after_cursor: after, after_url: link };
    return ok({ [list]: page.records, ...end, before_cursor: null, before_url: null });
  };
}

/** This export has no cursor. A page starts at the end time of the previous page. */
const zendeskOrganizations: Respond = (call, data) => {
  const startTime = call.url.searchParams.get('start_time');
  if (startTime === null) throw new RejectedRequest('start_time is required.');
  const page = pageAt(data, Math.max(0, Number(startTime) - EXPORT_TIME));
  const endTime = EXPORT_TIME + (page.next ?? page.total);
  const end = { end_of_stream: page.next === undefined, end_time: endTime };
  return ok({
    organizations: page.records,
    count: page.records.length,
    ...end,
    next_page: linkOf(call, { start_time: endTime }).href,
  });
};

function zendesk(list: string): Respond {
  return (call, data) => {
    if (!call.url.searchParams.has('page[size]')) throw new RejectedRequest('The request has no cursor pagination.');
    const page = pageAtCursor(data, call.url.searchParams.get('page[after]'));
    const after = cursorAt(page.next ?? page.total);
    const links = { prev: null, next: linkOf(call, { 'page[after]': after }).href };
    return ok({ [list]: page.records, meta: { has_more: page.next !== undefined, after_cursor: after }, links });
  };
}

export const BUSINESS_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'hubspot/hubspot-crm': {
    bases: ['https://api.hubapi.com'],
    pages: {
      'POST /crm/v3/objects/contacts/search': hubspotSearch,
      'POST /crm/v3/objects/companies/search': hubspotSearch,
      'GET /crm/v3/objects/deals': hubspot,
      'POST /crm/v3/objects/tickets/search': hubspotSearch,
      'POST /crm/v3/objects/calls/search': hubspotSearch,
      'POST /crm/v3/objects/emails/search': hubspotSearch,
      'POST /crm/v3/objects/meetings/search': hubspotSearch,
      'POST /crm/v3/objects/notes/search': hubspotSearch,
      'POST /crm/v3/objects/tasks/search': hubspotSearch,
      'POST /crm/v3/objects/line_items/search': hubspotSearch,
      'POST /crm/v3/objects/products/search': hubspotSearch,
      'GET /crm/v4/objects/deals/*/associations/contacts': hubspot,
      'GET /crm/v3/owners': hubspot,
    },
    lists: {
      'GET /crm/v3/pipelines/deals': (_, { records }) => ok({ results: records }),
      'GET /crm/v3/pipelines/tickets': (_, { records }) => ok({ results: records }),
    },
    values: { id: (nth) => `${1_001 + nth}` },
  },
  'netsuite/netsuite-suiteql': {
    bases: ['https://acme-main.suitetalk.api.netsuite.com/services/rest'],
    pages: { 'POST /query/v1/suiteql': netsuite },
    values: { lastmodifieddate: (nth) => timeOf(nth).toISOString().slice(0, 19) },
    sent: asTexts,
  },
  'pipedrive/pipedrive-crm': {
    bases: ['https://acme.pipedrive.com/api'],
    pages: {
      'GET /v2/deals': pipedrive,
      'GET /v2/deals/*/products': pipedrive,
      'GET /v2/persons': pipedrive,
      'GET /v2/organizations': pipedrive,
      'GET /v2/activities': pipedrive,
      'GET /v1/notes': pipedriveList,
      'GET /v1/leads': pipedriveList,
      'GET /v1/leads/archived': pipedriveList,
      'GET /v1/files': pipedriveList,
      'GET /v2/products': pipedrive,
      'GET /v2/pipelines': pipedrive,
      'GET /v2/stages': pipedrive,
      'GET /v2/dealFields': pipedrive,
      'GET /v2/personFields': pipedrive,
      'GET /v2/organizationFields': pipedrive,
      'GET /v2/productFields': pipedrive,
      'GET /v2/projects': pipedrive,
    },
    values: { update_time: (nth) => timeOf(nth).toISOString().slice(0, 19).replace('T', ' ') },
    lists: {
      'GET /v1/users': pipedriveWhole,
      'GET /v1/leadLabels': pipedriveWhole,
      'GET /v1/activityTypes': pipedriveWhole,
      'GET /v1/currencies': pipedriveWhole,
    },
  },
  'salesforce/salesforce-crm': salesforce,
  'shopify/admin-api': {
    bases: ['https://acme.myshopify.com/admin/api/2026-10'],
    pages: { 'POST /graphql.json': graphqlConnection },
  },
  'stripe/rest-api': {
    bases: ['https://api.stripe.com/v1'],
    pages: {
      'GET /customers': stripe,
      'GET /subscriptions': withParameters({ status: 'all' }, stripe),
      'GET /invoices': stripeObjects,
      'GET /charges': stripeObjects,
      'GET /balance_transactions': stripe,
      'GET /events': stripeEvents,
      'GET /payment_intents': stripe,
      'GET /refunds': stripe,
      'GET /disputes': stripe,
      'GET /payouts': stripe,
      'GET /credit_notes': stripe,
      'GET /products': stripe,
      'GET /prices': stripe,
      'GET /coupons': stripe,
      'GET /invoices/*/lines': stripe,
      'GET /subscription_items': stripeItems,
    },
    sent: withoutEvent,
  },
  'zendesk/zendesk-support': {
    bases: ['https://acme.zendesk.com'],
    pages: {
      'GET /api/v2/incremental/tickets/cursor': zendeskExport('tickets'),
      'GET /api/v2/incremental/users/cursor': zendeskExport('users'),
      'GET /api/v2/tickets/*/comments': zendesk('comments'),
      'GET /api/v2/incremental/organizations': zendeskOrganizations,
      'GET /api/v2/groups': zendesk('groups'),
      'GET /api/v2/ticket_metrics': zendesk('ticket_metrics'),
      'GET /api/v2/satisfaction_ratings': zendesk('satisfaction_ratings'),
      'GET /api/v2/ticket_fields': zendesk('ticket_fields'),
      'GET /api/v2/brands': zendesk('brands'),
      'GET /api/v2/tags': zendesk('tags'),
      'GET /api/v2/macros': zendesk('macros'),
      'GET /api/v2/group_memberships': zendesk('group_memberships'),
      'GET /api/v2/organization_memberships': zendesk('organization_memberships'),
      'GET /api/v2/tickets/*/audits': zendesk('audits'),
    },
  },
};
