import {
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
import type { SimulatedRecord } from '../simulated-tap-records.js';

/** The path of the next page has all parameters of the request. It is null on the last page. */
const recurly: Respond = (call, data) => {
  if (numberOf(call, 'limit', 20) > 200) throw new RejectedRequest('The limit is too large.');
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  const link = cursor && linkOf(call, { cursor });
  const next = link ? `${link.pathname}${link.search}` : null;
  return ok({ object: 'list', has_more: next !== null, next, data: records });
};

const recurlyByUpdate = withParameters({ sort: 'updated_at', order: 'asc' }, recurly);

/** Even the last page has the URL of a next page. */
const paddle: Respond = (call, data) => {
  const offset = numberOf(call, 'after', 0);
  const { records, next, total } = pageAt(data, offset, call.url.searchParams.has('per_page') ? PAGE_SIZE : 50);
  const link = linkOf(call, { after: offset + records.length }).href;
  const pagination = { per_page: 50, next: link, has_more: next !== undefined, estimated_total: total };
  return ok({ data: records, meta: { request_id: '1', pagination } });
};

/** Requires both statuses, because the vendor returns only active records by default. */
const paddleByStatus = withParameters({ status: 'active,archived' }, paddle);

/** JSON:API format. The last page has no link to a next page. */
const outreach: Respond = (call, data) => {
  const { searchParams } = call.url;
  if (!searchParams.has('page[size]')) throw new RejectedRequest('Without a size, pages have offsets.');
  const { records, cursor } = pageAtCursor(data, searchParams.get('page[after]'));
  const next = cursor && { next: linkOf(call, { 'page[after]': cursor }).href };
  return ok({ data: records.map(resource), links: { first: call.url.href, ...next } });
};

function resource({ id, ...fields }: SimulatedRecord): SimulatedRecord {
  const named = Object.entries(fields);
  const ids = named.filter(([name]) => name.endsWith('_id'));
  return {
    ...{ type: 'resource', id, links: { self: `https://api.outreach.io/api/v2/resources/${id}` } },
    attributes: Object.fromEntries(named.filter(([name]) => !name.endsWith('_id'))),
    relationships: Object.fromEntries(
      ids.map(([name, value]) => [
        name.slice(0, -3),
        { data: value === null ? null : { type: 'resource', id: value } },
      ]),
    ),
  };
}

const outreachByUpdate = withParameters({ sort: 'updatedAt', newFilterSyntax: 'true' }, outreach);

const salesloft: Respond = (call, data) => {
  const page = numberOf(call, 'page', 1);
  const size = call.url.searchParams.has('per_page') ? PAGE_SIZE : 25;
  const { records, next } = pageAt(data, (page - 1) * size, size);
  const paging = {
    per_page: size,
    current_page: page,
    next_page: next === undefined ? null : page + 1,
    prev_page: null,
  };
  return ok({ metadata: { filtering: {}, paging }, data: records });
};

const salesloftByUpdate = withParameters({ sort_by: 'updated_at', sort_direction: 'ASC' }, salesloft);

export const REVENUE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'outreach/rest-api': {
    bases: ['https://api.outreach.io/api/v2'],
    pages: {
      'GET /prospects': outreachByUpdate,
      'GET /accounts': outreachByUpdate,
      'GET /opportunities': outreachByUpdate,
      'GET /sequences': outreachByUpdate,
      'GET /sequenceStates': outreachByUpdate,
      'GET /mailings': outreachByUpdate,
      'GET /calls': outreachByUpdate,
      'GET /tasks': outreachByUpdate,
      'GET /users': outreachByUpdate,
      'GET /mailboxes': outreachByUpdate,
      'GET /stages': outreachByUpdate,
      'GET /personas': outreachByUpdate,
      'GET /callDispositions': outreachByUpdate,
      'GET /templates': outreachByUpdate,
    },
  },
  'paddle/billing-api': {
    bases: ['https://api.paddle.com'],
    pages: {
      'GET /transactions': paddle,
      'GET /subscriptions': paddle,
      'GET /customers': paddleByStatus,
      'GET /customers/*/addresses': paddleByStatus,
      'GET /customers/*/businesses': paddleByStatus,
      'GET /adjustments': paddle,
      'GET /products': paddleByStatus,
      'GET /prices': paddleByStatus,
      'GET /discounts': paddleByStatus,
      'GET /events': paddle,
      'GET /reports': paddle,
    },
    unauthorized: { status: 403, body: { error: { code: 'invalid_token' } } },
  },
  'recurly/rest-api': {
    bases: ['https://v3.recurly.com'],
    pages: {
      'GET /accounts': recurlyByUpdate,
      'GET /subscriptions': recurlyByUpdate,
      'GET /invoices': recurlyByUpdate,
      'GET /line_items': recurlyByUpdate,
      'GET /transactions': recurlyByUpdate,
      'GET /credit_payments': recurlyByUpdate,
      'GET /plans': recurlyByUpdate,
      'GET /add_ons': recurlyByUpdate,
      'GET /items': recurlyByUpdate,
      'GET /coupons': recurlyByUpdate,
      'GET /measured_units': recurlyByUpdate,
      'GET /dunning_campaigns': recurly,
    },
  },
  'salesloft/rest-api': {
    bases: ['https://api.salesloft.com/v2'],
    pages: {
      'GET /people': salesloftByUpdate,
      'GET /accounts': salesloftByUpdate,
      'GET /cadences': salesloftByUpdate,
      'GET /cadence_memberships': salesloftByUpdate,
      'GET /activities/emails': salesloftByUpdate,
      'GET /activities/calls': salesloftByUpdate,
      'GET /actions': salesloftByUpdate,
      'GET /notes': salesloftByUpdate,
      'GET /successes': salesloftByUpdate,
      'GET /email_templates': withParameters({ include_archived_templates: 'true' }, salesloftByUpdate),
      'GET /users': withParameters({ visible_only: 'false' }, salesloft),
      'GET /steps': salesloft,
      'GET /groups': salesloft,
    },
  },
};
