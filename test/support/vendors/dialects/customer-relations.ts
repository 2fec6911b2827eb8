import {
  jsonOf,
  linkOf,
  numberOf,
  ok,
  pageAt,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';
import type { SimulatedRecord } from '../simulated-tap-records.js';

function attioRecord(record: SimulatedRecord): SimulatedRecord {
  const { workspace_id, object_id, record_id, list_id, entry_id, note_id, task_id, ...others } = record;
  const { workspace_member_id, ...fields } = others;
  const ids = { workspace_id, object_id, record_id, list_id, entry_id, note_id, task_id };
  return { id: { ...ids, workspace_member_id }, ...fields };
}

const attioList: Respond = (_, { records }) => ok({ data: records.map(attioRecord) });

const attioQuery: Respond = (call, data) => {
  const { sorts, limit = 500, offset = 0 } = jsonOf(call) as { sorts?: object; limit?: number; offset?: number };
  if (JSON.stringify(sorts) !== '[{"direction":"asc","attribute":"created_at"}]')
    throw new RejectedRequest('The order of the records can change between pages.');
  if (limit > 500) throw new RejectedRequest('The limit is too large.');
  return ok({ data: pageAt(data, offset, limit).records.map(attioRecord) });
};

const attioPages =
  (maximum: number): Respond =>
  (call, data) => {
    const limit = numberOf(call, 'limit', 10);
    if (limit > maximum) throw new RejectedRequest('The limit is too large.');
    return ok({ data: pageAt(data, numberOf(call, 'offset', 0), limit).records.map(attioRecord) });
  };

const attioMeetings: Respond = (call, data) => {
  const { records, cursor = null } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  const meetings = records.map(({ workspace_id, meeting_id, ...meeting }) => ({
    id: { workspace_id, meeting_id },
    ...meeting,
  }));
  return ok({ data: meetings, pagination: { next_cursor: cursor } });
};

/** Requires ascending order, because the vendor returns the newest records first by default. */
const brevo = (name: string, maximum: number): Respond =>
  withParameters({ sort: 'asc' }, (call, data) => {
    const limit = numberOf(call, 'limit', 10);
    if (limit > maximum) throw new RejectedRequest('The limit is too large.');
    const since = call.url.searchParams.get('modifiedSince');
    if (since !== null && !/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/.test(since))
      throw new RejectedRequest(`Invalid: ${since}`);
    const { records, total } = pageAt(data, numberOf(call, 'offset', 0), limit);
    return ok(name === '' ? records : { [name]: records, count: total });
  });

const brevoCompanies: Respond = withParameters({ sort: 'asc' }, (call, data) => {
  const limit = numberOf(call, 'limit', 50);
  return ok({ items: pageAt(data, (numberOf(call, 'page', 1) - 1) * limit, limit).records });
});

/** Requires dates without times as the limits of the time range. */
const brevoEvents: Respond = (call, data) => {
  const days = ['startDate', 'endDate'].map((name) => call.url.searchParams.get(name));
  if (days.some((day) => day !== null && !/^\d{4}-\d\d-\d\d$/.test(day))) throw new RejectedRequest('Invalid days.');
  return brevo('events', 5_000)(call, data);
};

const brevoList =
  (name: string): Respond =>
  (_, { records }) =>
    ok({ [name]: records });

const close =
  (required: Readonly<Record<string, string>> = {}): Respond =>
  (call, data) => {
    const wrong = ['date_created__gte', 'date_updated__gte'].find(
      (name) => !/^\d{4}-.*Z$/.test(call.url.searchParams.get(name) ?? '2026-01-01T00:00:00Z'),
    );
    if (wrong) throw new RejectedRequest(`Invalid ${wrong}.`);
    return withParameters(required, closePage)(call, data);
  };

const closePage: Respond = (call, data) => {
  const { records, next } = pageAt(data, numberOf(call, '_skip', 0), numberOf(call, '_limit', 100));
  return ok({ data: records, has_more: next !== undefined });
};

const closeEvents: Respond = (call, data) => {
  if (numberOf(call, '_limit', 50) > 50) throw new RejectedRequest('The limit is too large.');
  const { records, cursor = null } = pageAtCursor(data, call.url.searchParams.get('_cursor'));
  return ok({ data: records, cursor_next: cursor, cursor_previous: null });
};

const closeList: Respond = (_, { records }) => ok({ data: records, has_more: false });

/** HAL format. The last page has no link to a next page. */
const helpScout =
  (name: string): Respond =>
  (call, data) => {
    const since = call.url.searchParams.get('modifiedSince');
    if (since !== null && !/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(since)) throw new RejectedRequest(`Invalid: ${since}`);
    const page = numberOf(call, 'page', 1);
    const { records, next, total } = pageAt(data, (page - 1) * 2);
    const links = next === undefined ? {} : { next: { href: linkOf(call, { page: page + 1 }).href } };
    return ok({
      _embedded: { [name]: records },
      _links: { self: { href: call.url.href }, ...links },
      page: { size: 2, totalElements: total, number: page },
    });
  };

const byChange = { sortField: 'modifiedAt', sortOrder: 'asc' };

export const CUSTOMER_RELATION_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'attio/rest-api': {
    bases: ['https://api.attio.com/v2'],
    pages: {
      'POST /objects/*/records/query': attioQuery,
      'POST /lists/*/entries/query': attioQuery,
      'GET /notes': attioPages(50),
      'GET /tasks': withParameters({ sort: 'created_at:asc' }, attioPages(500)),
      'GET /meetings': attioMeetings,
    },
    lists: { 'GET /objects': attioList, 'GET /lists': attioList, 'GET /workspace_members': attioList },
  },
  'brevo/rest-api': {
    bases: ['https://api.brevo.com/v3'],
    pages: {
      'GET /contacts': brevo('contacts', 1_000),
      'GET /contacts/lists': brevo('lists', 50),
      'GET /contacts/folders': brevo('folders', 50),
      'GET /contacts/segments': brevo('segments', 50),
      'GET /emailCampaigns': withParameters(
        { excludeHtmlContent: 'true', statistics: 'globalStats' },
        brevo('campaigns', 100),
      ),
      'GET /smsCampaigns': brevo('campaigns', 1_000),
      'GET /smtp/templates': brevo('templates', 1_000),
      'GET /smtp/statistics/events': brevoEvents,
      'GET /smtp/blockedContacts': brevo('contacts', 100),
      'GET /companies': brevoCompanies,
      'GET /crm/deals': brevo('items', 1_000),
      'GET /crm/tasks': brevo('items', 100),
      'GET /crm/notes': brevo('', 100),
    },
    lists: {
      'GET /contacts/attributes': brevoList('attributes'),
      'GET /crm/pipeline/details/all': (_, { records }) => ok(records),
      'GET /senders': brevoList('senders'),
    },
  },
  'close/rest-api': {
    bases: ['https://api.close.com/api/v1'],
    pages: {
      'GET /lead/': close(),
      'GET /contact/': close(),
      'GET /opportunity/': close({ _order_by: 'date_updated' }),
      'GET /task/': close({ _type: 'lead' }),
      'GET /activity/*/': close(),
      'GET /activity/status_change/*/': close(),
      'GET /event/': closeEvents,
      'GET /user/': close(),
      'GET /sequence/': close(),
      'GET /custom_field/*/': close(),
    },
    lists: { 'GET /status/lead/': closeList, 'GET /pipeline/': closeList },
  },
  'help-scout/mailbox-api': {
    bases: ['https://api.helpscout.net/v2'],
    pages: {
      'GET /conversations': withParameters({ ...byChange, status: 'all' }, helpScout('conversations')),
      'GET /conversations/*/threads': helpScout('threads'),
      'GET /customers': withParameters(byChange, helpScout('customers')),
      'GET /mailboxes': helpScout('mailboxes'),
      'GET /mailboxes/*/folders': helpScout('folders'),
      'GET /mailboxes/*/fields': helpScout('fields'),
      'GET /users': helpScout('users'),
      'GET /teams': helpScout('teams'),
      'GET /teams/*/members': helpScout('users'),
      'GET /tags': helpScout('tags'),
      'GET /workflows': helpScout('workflows'),
    },
  },
};
