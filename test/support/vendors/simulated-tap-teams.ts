import { monday } from './simulated-tap-monday.js';
import {
  cursorAt,
  linkOf,
  numberOf,
  ok,
  pageAt,
  pageAtCursor,
  pick,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from './simulated-tap-pages.js';
import { timeOf } from './simulated-tap-records.js';

function airtable(list: string): Respond {
  return (call, data) => {
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('offset'));
    return ok({ [list]: records, ...(cursor && { offset: cursor }) });
  };
}

/** As in Airtable, fields and views do not contain the id of their table. */
const airtableTables: Respond = (_, { tap, records }) => {
  if (tap.name === 'tables') return ok({ tables: records.map((table) => ({ ...table, fields: [], views: [] })) });
  const ids = [...new Set(records.map(({ table_id }) => table_id))];
  const tables = ids.map((id) => {
    const own = records.filter(({ table_id }) => table_id === id).map(({ table_id: _, ...part }) => part);
    return { id, fields: [], views: [], [tap.name]: own };
  });
  return ok({ tables });
};

/**
 * With `limit`, the records of the page contain the id and the fields in `opt_fields`. Without `limit`, returns all
 * records with all fields.
 */
const asana: Respond = (call, data) => {
  const fields = call.url.searchParams.get('opt_fields')?.split(',') ?? [];
  if (!call.url.searchParams.has('limit')) return ok({ data: data.records });
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('offset'));
  const next = cursor ? { offset: cursor, path: '/next', uri: linkOf(call, { offset: cursor }).href } : null;
  return ok({ data: records.map((record) => pick(record, ['gid', ...fields])), next_page: next });
};

const ofWorkspace = withParameters({ workspace: 'gid-0' }, asana);

/** The classic pagination ends after 10,000 records. */
function pagerduty(list: string): Respond {
  return (call, data) => {
    const [offset, limit] = [numberOf(call, 'offset', 0), numberOf(call, 'limit', 25)];
    if (limit > 100 || offset + limit > 10_000) throw new RejectedRequest('The page is out of range.');
    const { records, next } = pageAt(data, offset, limit);
    return ok({ [list]: records, limit, offset, more: next !== undefined, total: null });
  };
}

/** Even the last page has a link to a next page. That page is empty. */
const sentry: Respond = (call, data) => {
  const { records, next, offset } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  const cursor = cursorAt(offset + records.length);
  const results = `results="${next !== undefined}"; cursor="${cursor}"`;
  const links = [
    `<${linkOf(call, { cursor: cursorAt(0) }).href}>; rel="previous"; results="false"; cursor="0:0:1"`,
    `<${linkOf(call, { cursor }).href}>; rel="next"; ${results}`,
  ];
  return ok(records, { link: links.join(', ') });
};

/** The newest record is the first. */
const descending = (nth: number): string => timeOf(1_000 - nth).toISOString();

export const TEAM_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'airtable/web-api': {
    bases: ['https://api.airtable.com/v0'],
    pages: { 'GET /meta/bases': airtable('bases'), 'GET /*/*': airtable('records') },
    lists: { 'GET /meta/bases/*/tables': airtableTables },
  },
  'asana/rest-api': {
    bases: ['https://app.asana.com/api/1.0'],
    pages: {
      'GET /workspaces': asana,
      'GET /users': ofWorkspace,
      'GET /projects': ofWorkspace,
      'GET /tasks': withParameters({ project: 'gid-0' }, asana),
      'GET /tasks/*/stories': asana,
      'GET /workspaces/*/teams': asana,
      'GET /workspaces/*/tags': asana,
      'GET /workspaces/*/custom_fields': asana,
    },
  },
  'monday/platform-api': {
    bases: ['https://api.monday.com'],
    pages: { 'POST /v2': monday },
    tapsWithoutPages: ['teams', 'tags', 'groups', 'columns'],
  },
  'pagerduty/rest-api': {
    bases: ['https://api.pagerduty.com'],
    pages: {
      'GET /incidents': pagerduty('incidents'),
      'GET /incidents/*/alerts': pagerduty('alerts'),
      'GET /log_entries': pagerduty('log_entries'),
      'GET /services': pagerduty('services'),
      'GET /users': pagerduty('users'),
      'GET /teams': pagerduty('teams'),
      'GET /escalation_policies': pagerduty('escalation_policies'),
      'GET /schedules': pagerduty('schedules'),
      'GET /priorities': pagerduty('priorities'),
    },
    lists: { 'GET /incidents/*/notes': (_, { records }) => ok({ notes: records }) },
  },
  'sentry/rest-api': {
    bases: ['https://data.acme.test/api/0'],
    pages: {
      'GET /organizations/': sentry,
      'GET /organizations/*/projects/': sentry,
      'GET /organizations/*/teams/': sentry,
      'GET /organizations/*/members/': sentry,
      'GET /organizations/*/issues/': sentry,
      'GET /organizations/*/releases/': sentry,
      'GET /projects/*/*/events/': sentry,
    },
    values: { dateCreated: descending },
  },
};
