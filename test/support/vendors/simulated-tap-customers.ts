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

/** The link to the next page has the host of the company. */
const front: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('page_token'));
  if (!call.url.searchParams.has('limit')) throw new RejectedRequest('The request has no limit.');
  const next = cursor ? linkOf(call, { page_token: cursor }).href.replace('api2.', 'acme.api.') : null;
  return ok({ _pagination: { next }, _links: { self: call.url.href }, _results: records });
};

const frontEvents: Respond = (call, data) => {
  if (numberOf(call, 'limit', 15) > 15) throw new RejectedRequest('The limit is too large.');
  return front(call, data);
};

function intercomSearch(list: string): Respond {
  return (call, data) => {
    const { query, pagination } = jsonOf(call) as unknown as IntercomSearch;
    if (query.field !== 'updated_at' || query.operator !== '>' || !/^\d+$/.test(query.value))
      throw new RejectedRequest(`Invalid query: ${JSON.stringify(query)}`);
    const { records, cursor, total } = pageAtCursor(data, pagination.starting_after);
    const next = cursor && { next: { page: 2, starting_after: cursor } };
    return ok({ type: 'list', [list]: records, total_count: total, pages: { type: 'pages', per_page: 150, ...next } });
  };
}

interface IntercomSearch {
  readonly query: { readonly field: string; readonly operator: string; readonly value: string };
  readonly pagination: { readonly starting_after?: string };
}

/** A page can have fewer companies than requested. */
const intercomCompanies: Respond = (call, data) => {
  const page = numberOf(call, 'page', 1);
  const size = call.url.searchParams.has('per_page') ? 1 : 15;
  const { records, total } = pageAt(data, (page - 1) * size, size);
  const pages = { type: 'pages', page, per_page: size, total_pages: Math.ceil(total / size) };
  return ok({ type: 'list', data: records, pages, total_count: total });
};

/** JSON:API format. The link to the next page is null on the last page. */
const klaviyo: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('page[cursor]'));
  const next = cursor ? linkOf(call, { 'page[cursor]': cursor }).href : null;
  const resources = records.map(({ id, profile_id, metric_id, ...attributes }) => ({
    ...{ type: 'resource', id, attributes, links: { self: call.url.href } },
    relationships: { profile: { data: { id: profile_id } }, metric: { data: { id: metric_id } } },
  }));
  return ok({ data: resources, links: { self: call.url.href, next } });
};

/** Requires a filter by channel, because the vendor lists the campaigns of only one channel. */
const klaviyoCampaigns: Respond = (call, data) => {
  const filter = call.url.searchParams.get('filter');
  if (filter !== "equals(messages.channel,'email')") throw new RejectedRequest(`Invalid filter: ${filter}`);
  return klaviyo(call, { ...data, records: data.records.map(({ channel: _, ...campaign }) => campaign) });
};

const sendgridSuppressions: Respond = (call, data) =>
  ok(pageAt(data, numberOf(call, 'offset', 0), numberOf(call, 'limit', 500)).records);

const sendgridTeammates: Respond = (call, data) => ok({ result: sendgridSuppressions(call, data).body });

const sendgrid: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('page_token'));
  const next = cursor && { next: linkOf(call, { page_token: cursor }).href };
  return ok({ result: records, _metadata: { self: call.url.href, count: PAGE_SIZE, ...next } });
};

const freshdesk: Respond = (call, data) => {
  const [page, size] = [numberOf(call, 'page', 1), call.url.searchParams.has('per_page') ? PAGE_SIZE : 30];
  const { records, next } = pageAt(data, (page - 1) * size, size);
  return ok(
    records,
    next === undefined ? undefined : { link: `<${linkOf(call, { page: page + 1 }).href}>; rel="next"` },
  );
};

const freshdeskTickets = withParameters({ order_by: 'updated_at', order_type: 'asc' }, freshdesk);

/** Requires that the request excludes the links of the records. */
function mailchimp(list: string): Respond {
  return (call, data) => {
    if (call.url.searchParams.get('exclude_fields') !== `${list}._links`)
      throw new RejectedRequest('The records have links.');
    const { records, total } = pageAt(data, numberOf(call, 'offset', 0), numberOf(call, 'count', 10));
    return ok({ [list]: records, total_items: total, _links: [] });
  };
}

const frontList: Respond = (_, { records }) => ok({ _links: {}, _results: records });

export const CUSTOMER_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'freshdesk/rest-api': {
    bases: ['https://acme.freshdesk.com/api/v2'],
    pages: {
      'GET /tickets': freshdeskTickets,
      'GET /tickets/*/conversations': freshdesk,
      'GET /contacts': freshdesk,
      'GET /companies': freshdesk,
      'GET /agents': freshdesk,
      'GET /groups': freshdesk,
      'GET /roles': freshdesk,
      'GET /time_entries': freshdesk,
      'GET /surveys/satisfaction_ratings': freshdesk,
      'GET /products': freshdesk,
    },
  },
  'front/core-api': {
    bases: ['https://api2.frontapp.com'],
    pages: {
      'GET /conversations': front,
      'GET /conversations/*/messages': front,
      'GET /events': frontEvents,
      'GET /contacts': front,
      'GET /accounts': front,
      'GET /tags': front,
    },
    lists: {
      'GET /conversations/*/comments': frontList,
      'GET /inboxes': frontList,
      'GET /channels': frontList,
      'GET /teammates': frontList,
      'GET /teams': frontList,
    },
    values: { emitted_at: (nth) => 1_767_607_200.5 + (100 - nth) * 60 },
  },
  'intercom/rest-api': {
    bases: ['https://api.intercom.io'],
    pages: {
      'POST /contacts/search': intercomSearch('data'),
      'POST /conversations/search': intercomSearch('conversations'),
      'POST /tickets/search': intercomSearch('tickets'),
      'POST /companies/list': intercomCompanies,
    },
    lists: {
      'GET /conversations/*': (_, { records }) =>
        ok({ type: 'conversation', id: '1', conversation_parts: { conversation_parts: records } }),
      'GET /admins': (_, { records }) => ok({ type: 'admin.list', admins: records }),
      'GET /teams': (_, { records }) => ok({ type: 'team.list', teams: records }),
      'GET /tags': (_, { records }) => ok({ type: 'list', data: records }),
      'GET /segments': withParameters({ include_count: 'true' }, (_, { records }) =>
        ok({ type: 'segment.list', segments: records }),
      ),
      'GET /ticket_types': (_, { records }) => ok({ type: 'list', data: records }),
    },
  },
  'klaviyo/rest-api': {
    bases: ['https://a.klaviyo.com/api'],
    pages: {
      'GET /profiles': klaviyo,
      'GET /events': withParameters({ sort: 'datetime' }, klaviyo),
      'GET /metrics': klaviyo,
      'GET /lists': klaviyo,
      'GET /segments': klaviyo,
      'GET /campaigns': klaviyoCampaigns,
      'GET /flows': klaviyo,
      'GET /templates': klaviyo,
    },
  },
  'mailchimp/marketing-api': {
    bases: ['https://us6.api.mailchimp.com/3.0'],
    pages: {
      'GET /lists': mailchimp('lists'),
      'GET /lists/*/members': mailchimp('members'),
      'GET /lists/*/segments': mailchimp('segments'),
      'GET /lists/*/merge-fields': mailchimp('merge_fields'),
      'GET /lists/*/interest-categories': mailchimp('categories'),
      'GET /campaigns': mailchimp('campaigns'),
      'GET /reports': mailchimp('reports'),
      'GET /reports/*/email-activity': mailchimp('emails'),
      'GET /reports/*/unsubscribed': mailchimp('unsubscribes'),
      'GET /automations': mailchimp('automations'),
    },
  },
  'sendgrid/rest-api': {
    bases: ['https://api.sendgrid.com/v3'],
    pages: {
      'GET /suppression/bounces': sendgridSuppressions,
      'GET /suppression/blocks': sendgridSuppressions,
      'GET /suppression/spam_reports': sendgridSuppressions,
      'GET /suppression/invalid_emails': sendgridSuppressions,
      'GET /suppression/unsubscribes': sendgridSuppressions,
      'GET /marketing/lists': sendgrid,
      'GET /marketing/singlesends': sendgrid,
      'GET /templates': withParameters({ generations: 'legacy,dynamic' }, sendgrid),
      'GET /teammates': sendgridTeammates,
    },
    lists: {
      'GET /asm/groups': (_, { records }) => ok(records),
      'GET /asm/suppressions': (_, { records }) => ok(records),
    },
  },
};
