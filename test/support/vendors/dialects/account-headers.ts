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
} from '../simulated-tap-pages.js';
import { type SimulatedRecord, timeOf } from '../simulated-tap-records.js';

const harvest =
  (name: string): Respond =>
  (call, data) => {
    if (numberOf(call, 'per_page', 2_000) > 2_000) throw new RejectedRequest('The page is too large.');
    const since = call.url.searchParams.get('updated_since');
    if (since !== null && !/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(since)) throw new RejectedRequest(`Invalid: ${since}`);
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('cursor'));
    const next = cursor ? linkOf(call, { cursor }).href : null;
    return ok({ [name]: records, links: { first: call.url.href, next, previous: null } });
  };

const list: Respond = (_, { records }) => ok(records);

/** `before` is the id of the last record of the previous page. */
const trello: Respond = (call, data) => {
  if (numberOf(call, 'limit', 50) > 1_000) throw new RejectedRequest('The limit is too large.');
  const before = call.url.searchParams.get('before');
  const index = before === null ? -1 : data.records.findIndex(({ id }) => id === before);
  if (before !== null && index < 0) throw new RejectedRequest(`Invalid id: ${before}`);
  return ok(pageAt(data, index + 1).records);
};

/** Requires a page size, because the vendor returns 20 records per page by default. */
const copperSearch: Respond = (call, data) => {
  const body = jsonOf(call);
  const { page_number: page = 1, page_size: asked = 20 } = body as Record<string, number>;
  if (!('page_size' in (body as object))) throw new RejectedRequest('The page has no size.');
  if (asked > 200) throw new RejectedRequest('The page is too large.');
  const times = Object.entries(body).filter(([name]) => /^m(ax|in)imum_/.test(name));
  const wrong = times.find(([, value]) => !Number.isInteger(value));
  if (wrong) throw new RejectedRequest(`Invalid ${wrong[0]}.`);
  const size = asked === 20 ? 20 : PAGE_SIZE;
  const { records, total } = pageAt(data, (page - 1) * size, size);
  return ok(records, { 'x-pw-total': `${total}` });
};

const SELECTED = /^SELECT (.+) FROM (\w+)( WHERE .+)?$/s;

/** Each row contains an object per resource of the query. The last page has no token. */
const googleAds: Respond = (call, data) => {
  const { query, pageToken } = jsonOf(call);
  const [, fields = '', resource = '', where = ''] = SELECTED.exec(`${query}`) ?? [];
  if (!fields.includes(`${resource}.`)) throw new RejectedRequest(`Invalid query: ${query}`);
  if (where.includes('segments.date') && !/(DURING LAST_30_DAYS|'\d{4}-\d\d-\d\d' AND '\d{4}-\d\d-\d\d')$/.test(where))
    throw new RejectedRequest(`Invalid dates: ${where}`);
  const { records, cursor } = pageAtCursor(data, pageToken);
  const name = camelCase(resource);
  const results = records.map((record) => (where.includes('segments.date') ? dayOf(record, name) : { [name]: record }));
  return ok({ results, fieldMask: fields, ...(cursor && { nextPageToken: cursor }) });
};

function dayOf({ date, ...record }: SimulatedRecord, name: string): SimulatedRecord {
  const prefix = `${name}_`;
  const [own, metrics] = [true, false].map((isOwn) =>
    Object.entries(record).filter(([field]) => field.startsWith(prefix) === isOwn),
  ) as [[string, unknown][], [string, unknown][]];
  return {
    [name]: Object.fromEntries(own.map(([field, value]) => [field.slice(prefix.length), value])),
    segments: { date },
    metrics: Object.fromEntries(metrics),
  };
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const HARVEST_LISTS = [
  ...['clients', 'contacts', 'projects', 'tasks', 'task_assignments', 'user_assignments', 'users', 'roles'],
  ...['time_entries', 'expenses', 'expense_categories', 'invoices', 'invoice_item_categories', 'estimates'],
  'estimate_item_categories',
];

const seconds = (nth: number) => timeOf(nth).getTime() / 1_000;

/** Vendors whose requests have a header or a key in addition to the credential. */
export const ACCOUNT_HEADER_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'copper/developer-api': {
    bases: ['https://api.copper.com/developer_api/v1'],
    pages: Object.fromEntries(
      ['people', 'companies', 'leads', 'opportunities', 'projects', 'tasks', 'users'].map((name) => [
        `POST /${name}/search`,
        copperSearch,
      ]),
    ),
    lists: {
      'GET /pipelines': list,
      'GET /pipeline_stages': list,
      'GET /customer_sources': list,
      'GET /loss_reasons': list,
      'GET /contact_types': list,
      'GET /lead_statuses': list,
      'GET /custom_field_definitions': list,
    },
    values: { date_modified: seconds, date_created: seconds },
  },
  'google-ads/rest-api': {
    bases: ['https://googleads.googleapis.com/v26'],
    pages: { 'POST /customers/1234567890/googleAds:search': googleAds },
  },
  'harvest/rest-api': {
    bases: ['https://api.harvestapp.com/v2'],
    pages: {
      ...Object.fromEntries(HARVEST_LISTS.map((name) => [`GET /${name}`, harvest(name)])),
      'GET /invoices/*/payments': harvest('invoice_payments'),
      'GET /invoices/*/messages': harvest('invoice_messages'),
      'GET /estimates/*/messages': harvest('estimate_messages'),
      'GET /users/*/billable_rates': harvest('billable_rates'),
      'GET /users/*/cost_rates': harvest('cost_rates'),
    },
  },
  'trello/rest-api': {
    bases: ['https://api.trello.com/1'],
    pages: {
      'GET /boards/*/actions': trello,
      'GET /boards/*/cards/all': withParameters({ sort: '-id' }, trello),
    },
    lists: {
      'GET /members/me/boards': list,
      'GET /members/me/organizations': list,
      'GET /boards/*/lists': withParameters({ filter: 'all' }, list),
      'GET /boards/*/checklists': list,
      'GET /boards/*/members': list,
    },
  },
};
