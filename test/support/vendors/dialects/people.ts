import type { VendorCallRecord } from '../../servers/any-host-server.js';
import {
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
import { type SimulatedRecord, timeOf } from '../simulated-tap-records.js';

/** Requires `accept: application/json`, because the vendor returns XML by default. */
function bamboohr(respond: Respond): Respond {
  return (call, data) => {
    if (call.headers.accept !== 'application/json') throw new RejectedRequest('The response would be XML.');
    return respond(call, data);
  };
}

const bamboohrList = bamboohr((_, { records }) => ok(records));

const bamboohrEmployees = bamboohr((call, data) => {
  if (numberOf(call, 'page[limit]', 50) > 100) throw new RejectedRequest('The limit is too large.');
  if (!call.url.searchParams.get('fields')?.includes('workEmail')) throw new RejectedRequest('Fields are missing.');
  const { records, cursor, total } = pageAtCursor(data, call.url.searchParams.get('page[after]'));
  const next = cursor ? { href: linkOf(call, { 'page[after]': cursor }).href } : null;
  return ok({ data: records, meta: { total }, _links: { self: { href: call.url.href }, next } });
});

const bamboohrApplications = bamboohr((call, data) => {
  const page = numberOf(call, 'page', 1);
  const { records, next } = pageAt(data, (page - 1) * 2);
  const nextPageUrl = next === undefined ? null : linkOf(call, { page: page + 1 }).href;
  return ok({ paginationComplete: next === undefined, nextPageUrl, applications: records });
});

/** The response is an object with a member per user, not a list. */
const bamboohrUsers = bamboohr((_, { records }) =>
  ok(Object.fromEntries(records.map((record, nth) => [`${9_000 + nth}`, record]))),
);

const bamboohrTimeOff = bamboohr(({ url }, { records }) => {
  for (const name of ['start', 'end'])
    if (!/^\d{4}-\d\d-\d\d$/.test(url.searchParams.get(name) ?? '2026-01-01'))
      throw new RejectedRequest(`Invalid ${name}.`);
  return ok(records);
});

/** Times in `*_datetime` fields have no zone. */
const gorgias: Respond = (call, data) => {
  if (numberOf(call, 'limit', 30) > 100) throw new RejectedRequest('The limit is too large.');
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  const meta = { prev_cursor: null, next_cursor: cursor ?? null };
  return ok({ object: 'list', uri: call.url.pathname, data: records.map(withoutZones), meta });
};

function withoutZones(record: SimulatedRecord): SimulatedRecord {
  const fields = Object.entries(record);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, name.endsWith('_datetime') && value ? `${value}`.slice(0, -1) : value]),
  );
}

const newestFirst = (field: string): Respond => withParameters({ order_by: `${field}:desc` }, gorgias);

const gorgiasEvents = withParameters({ order_by: 'created_datetime:asc' }, (call, data) => {
  requireTimes(call, 'created_datetime[gt]', 'created_datetime[lt]');
  return gorgias(call, data);
});

function requireTimes({ url }: VendorCallRecord, ...names: readonly string[]): void {
  const wrong = names.find((name) => !/^\d{4}-.*Z$/.test(url.searchParams.get(name) ?? '2026-Z'));
  if (wrong) throw new RejectedRequest(`Invalid ${wrong}.`);
}

/** The newest record is the first. */
const descending = (nth: number): string => timeOf(100 - nth).toISOString();

export const PEOPLE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'bamboohr/rest-api': {
    bases: ['https://acme.bamboohr.com/api/v1'],
    pages: {
      'GET /employees': bamboohrEmployees,
      'GET /applicant_tracking/applications': bamboohrApplications,
    },
    lists: {
      'GET /employees/all/tables/jobInfo': bamboohrList,
      'GET /employees/all/tables/employmentStatus': bamboohrList,
      'GET /employees/all/tables/compensation': bamboohrList,
      'GET /time_off/requests': bamboohrTimeOff,
      'GET /meta/time_off/types': bamboohr((_, { records }) => ok({ timeOffTypes: records, defaultHours: [] })),
      'GET /meta/time_off/policies': bamboohrList,
      'GET /applicant_tracking/jobs': withParameters({ statusGroups: 'ALL' }, bamboohrList),
      'GET /applicant_tracking/statuses': bamboohrList,
      'GET /meta/users': bamboohrUsers,
      'GET /meta/fields': bamboohrList,
      'GET /meta/lists': bamboohrList,
    },
  },
  'gorgias/rest-api': {
    bases: ['https://acme.gorgias.com/api'],
    pages: {
      'GET /tickets': newestFirst('updated_datetime'),
      'GET /messages': newestFirst('created_datetime'),
      'GET /customers': gorgias,
      'GET /events': gorgiasEvents,
      'GET /satisfaction-surveys': newestFirst('created_datetime'),
      'GET /users': gorgias,
      'GET /teams': gorgias,
      'GET /tags': gorgias,
      'GET /macros': gorgias,
      'GET /rules': gorgias,
      'GET /integrations': gorgias,
      'GET /custom-fields': withParameters({ object_type: 'Ticket' }, gorgias),
    },
    values: { created_datetime: descending, updated_datetime: descending },
  },
};
