import type { StubReply } from '../../servers/any-host-server.js';
import {
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';
import type { SimulatedRecord } from '../simulated-tap-records.js';

const NOT_FOUND: StubReply = { status: 404, body: { code: 'NOT_FOUND' } };

const single: Respond = (_, { records: [record] }) => (record ? ok(record) : NOT_FOUND);

const typeform: Respond = (call, data) => {
  const size = numberOf(call, 'page_size', 10);
  if (size > 200) throw new RejectedRequest('The page is too large.');
  const page = numberOf(call, 'page', 1);
  const { records, total } = pageAt(data, (page - 1) * size, size);
  const pages = Math.ceil(total / size);
  if (page > Math.max(1, pages)) throw new RejectedRequest('There is no such page.');
  return ok({ total_items: total, page_count: pages, items: records });
};

/**
 * `after` is the token of the last survey response on the previous page. Without `after`, the request must specify an
 * ascending order. With `after`, the request must not specify an order.
 */
const typeformResponses: Respond = (call, data) => {
  const { searchParams } = call.url;
  const after = searchParams.get('after');
  if (numberOf(call, 'page_size', 25) > 1_000) throw new RejectedRequest('The page is too large.');
  if (after !== null && searchParams.has('sort')) throw new RejectedRequest('A token excludes an order.');
  if (after === null && searchParams.get('sort') !== 'submitted_at,asc') throw new RejectedRequest('Wrong order.');
  const since = searchParams.get('since');
  if (since !== null && !/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(since)) throw new RejectedRequest(`Invalid start: ${since}`);
  const last = data.records.findIndex(({ token }) => token === after);
  if (after !== null && last < 0) throw new RejectedRequest(`Invalid token: ${after}`);
  const { records, total } = pageAt(data, last + 1);
  return ok({ total_items: total, page_count: Math.ceil(total / PAGE_SIZE), items: records });
};

const typeformList: Respond = (_, { records }) => ok({ items: records });

/** Replaces the `Z` at the end of times with `zone`. */
const withZone =
  (zone: string) =>
  (record: SimulatedRecord): SimulatedRecord => {
    const times = ['date_created', 'date_modified'].flatMap((name) =>
      typeof record[name] === 'string' ? [[name, record[name].replace('Z', zone)]] : [],
    );
    return { ...record, ...Object.fromEntries(times) };
  };

/** The times of surveys have no zone. */
const withoutZone = withZone('');
const withOffset = withZone('+00:00');

const surveyMonkey =
  (sent = (record: SimulatedRecord): SimulatedRecord => record): Respond =>
  (call, data) => {
    const [page, size] = [numberOf(call, 'page', 1), numberOf(call, 'per_page', 50)];
    const since = call.url.searchParams.get('start_modified_at');
    if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(since))
      throw new RejectedRequest(`Invalid: ${since}`);
    const { records, next, total } = pageAt(data, (page - 1) * size, size);
    const links = next === undefined ? {} : { next: linkOf(call, { page: page + 1 }).href };
    return ok({ data: records.map(sent), per_page: size, page, total, links: { self: call.url.href, ...links } });
  };

const oldestFirst = { sort_by: 'date_modified', sort_order: 'ASC' };

export const SURVEY_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'surveymonkey/rest-api': {
    bases: ['https://api.surveymonkey.com/v3'],
    pages: {
      'GET /surveys': withParameters(oldestFirst, surveyMonkey(withoutZone)),
      'GET /surveys/*/responses/bulk': withParameters(oldestFirst, surveyMonkey(withOffset)),
      'GET /surveys/*/collectors': surveyMonkey(withOffset),
      'GET /survey_folders': surveyMonkey(),
      'GET /contact_lists': surveyMonkey(),
      'GET /contacts': surveyMonkey(),
      'GET /groups': surveyMonkey(),
      'GET /groups/*/members': surveyMonkey(),
    },
    records: {
      'GET /surveys/*/details': (_, { records: [survey] }) => (survey ? ok(withoutZone(survey)) : NOT_FOUND),
    },
    sent: (record, { name }) => (/^(survey_responses|collectors)$/.test(name) ? withOffset(record) : record),
  },
  'typeform/rest-api': {
    bases: ['https://api.typeform.com'],
    pages: {
      'GET /forms': typeform,
      'GET /forms/*/responses': typeformResponses,
      'GET /workspaces': typeform,
      'GET /themes': typeform,
    },
    lists: { 'GET /images': (_, { records }) => ok(records), 'GET /forms/*/webhooks': typeformList },
    records: { 'GET /forms/*': single, 'GET /insights/*/summary': single },
  },
};
