import type { StubReply } from '../../servers/any-host-server.js';
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

const NOT_FOUND: StubReply = { status: 404, body: { message: 'Not found' } };
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:]+Z$/;

const listOf =
  (name: string): Respond =>
  (_, { records }) =>
    ok({ [name]: records });

/** Rejects a request if the value of a parameter in `names` does not match `pattern`. The parameters are optional. */
function withForm(pattern: RegExp, names: readonly string[], respond: Respond): Respond {
  return (call, data) => {
    const wrong = names.find((name) => !pattern.test(call.url.searchParams.get(name) ?? '2026-01-01T00:00:00Z'));
    if (wrong && call.url.searchParams.has(wrong)) throw new RejectedRequest(`Invalid ${wrong}.`);
    return respond(call, data);
  };
}

const calendly: Respond = (call, data) => {
  if (numberOf(call, 'count', 20) > 100) throw new RejectedRequest('The count is too large.');
  const { records, cursor = null } = pageAtCursor(data, call.url.searchParams.get('page_token'));
  const next = cursor && linkOf(call, { page_token: cursor }).href;
  return ok({ collection: records, pagination: { count: records.length, next_page: next, next_page_token: cursor } });
};

const ORGANIZATION = 'https://api.calendly.com/organizations/org-0';
const calendlyOf: Respond = withParameters({ organization: ORGANIZATION }, calendly);

/** Converts the times in the fields `names` to strings, as in the vendor's responses. */
const texts = (record: SimulatedRecord, ...names: readonly string[]): SimulatedRecord => ({
  ...record,
  ...Object.fromEntries(
    names
      .filter((name) => record[name] !== null && record[name] !== undefined)
      .map((name) => [name, `${record[name]}`]),
  ),
});

const clickUpList =
  (name: string, ...times: readonly string[]): Respond =>
  (_, { records }) =>
    ok({ [name]: records.map((record) => texts(record, ...times)) });

const clickUpTeams: Respond = (_, { tap, records }) =>
  ok({
    teams: tap.name === 'users' ? records.map((user) => ({ id: '1', name: 'Acme', members: [{ user }] })) : records,
  });

const TASK_TIMES = ['date_created', 'date_updated', 'date_closed', 'date_done', 'due_date', 'start_date'];

/** The first page has the number 0. The vendor omits subtasks and closed tasks unless both parameters are true. */
const clickUpTasks: Respond = withParameters({ subtasks: 'true', include_closed: 'true' }, (call, data) => {
  const { records, next } = pageAt(data, numberOf(call, 'page', 0) * PAGE_SIZE);
  const since = call.url.searchParams.get('date_updated_gt');
  if (since !== null && !/^\d{13}$/.test(since)) throw new RejectedRequest(`Invalid start: ${since}`);
  return ok({ tasks: records.map((record) => texts(record, ...TASK_TIMES)), last_page: next === undefined });
});

/** The request contains the time and the id of the last comment of the previous page. */
const clickUpComments: Respond = (call, data) => {
  const { searchParams } = call.url;
  const [start, id] = [searchParams.get('start'), searchParams.get('start_id')];
  const offset = id === null ? 0 : data.records.findIndex((record) => record.id === id) + 1;
  const last = data.records[offset - 1];
  if ((start === null) !== (id === null) || (last && start !== `${last.date ?? null}`))
    throw new RejectedRequest(`Invalid start: ${start}`);
  return ok({ comments: pageAt(data, offset).records.map((record) => texts(record, 'date')) });
};

/** Every page has a cursor, which is a number. The list ends with an empty page. */
const figmaLibrary =
  (name: string): Respond =>
  (call, data) => {
    const offset = numberOf(call, 'after', 0);
    const { records } = pageAt(data, offset);
    const cursor = { before: offset, after: offset + records.length };
    return ok({ status: 200, error: false, meta: { [name]: records, cursor } });
  };

const figmaVersions: Respond = (call, data) => {
  if (numberOf(call, 'page_size', 30) > 50) throw new RejectedRequest('The page is too large.');
  const { records, next } = pageAt(data, numberOf(call, 'before', 0));
  const link = next === undefined ? {} : { next_page: linkOf(call, { before: next }).href };
  return ok({ versions: records, pagination: link });
};

/**
 * Rejects a page after the last page. The vendor would return the last page again, so a reader that does not count
 * pages would never end.
 */
const smartsheet: Respond = (call, data) => {
  const [page, size] = [numberOf(call, 'page', 1), numberOf(call, 'pageSize', 100)];
  const totalPages = Math.max(1, Math.ceil(data.records.length / size));
  if (page > totalPages) throw new RejectedRequest('There is no such page.');
  const { records, total } = pageAt(data, (page - 1) * size, size);
  return ok({ pageNumber: page, pageSize: size, totalPages, totalCount: total, data: records });
};

/** The vendor divides a sheet into pages before it filters the rows. Two rows of each page match. */
const smartsheetRows: Respond = withForm(TIME, ['rowsModifiedSince'], (call, data) => {
  const [page, size] = [numberOf(call, 'page', 1), numberOf(call, 'pageSize', 100)];
  const { records, total } = pageAt(data, (page - 1) * PAGE_SIZE);
  return ok({ id: 1, name: 'Sheet', totalRowCount: Math.ceil(total / PAGE_SIZE) * size, rows: records });
});

const togglList: Respond = (_, { records }) => ok(records);

const togglPages: Respond = (call, data) => ok(pageAt(data, (numberOf(call, 'page', 1) - 1) * PAGE_SIZE).records);

const togglTasks: Respond = (call, data) => {
  const [page, size] = [numberOf(call, 'page', 1), numberOf(call, 'per_page', 50)];
  return ok({ data: pageAt(data, (page - 1) * size, size).records });
};

const ENTRY = ['id', 'seconds', 'start', 'stop', 'at'];

const togglReport: Respond = (call, data) => {
  const { first_row_number: first = 1, start_date: start, end_date: end } = jsonOf(call);
  if (!Number.isInteger(first)) throw new RejectedRequest(`Invalid row: ${first}`);
  if ([start, end].some((day) => day !== undefined && !DAY.test(`${day}`))) throw new RejectedRequest('Invalid day.');
  const { records, next } = pageAt(data, Number(first) - 1);
  return ok(records.map(rowOf), next === undefined ? undefined : { 'x-next-row-number': `${next + 1}` });
};

function rowOf(record: SimulatedRecord): SimulatedRecord {
  const fields = Object.entries(record);
  const entry = Object.fromEntries(fields.filter(([name]) => ENTRY.includes(name)));
  return { ...Object.fromEntries(fields.filter(([name]) => !ENTRY.includes(name))), time_entries: [entry] };
}

const webflow =
  (name: string): Respond =>
  (call, data) => {
    const [offset, limit] = [numberOf(call, 'offset', 0), numberOf(call, 'limit', 100)];
    if (limit > 100) throw new RejectedRequest('The limit is too large.');
    const { records, total } = pageAt(data, offset, limit);
    const items = data.tap.name === 'products' ? records.map(({ skus, ...product }) => ({ product, skus })) : records;
    return ok({ [name]: items, pagination: { limit, offset, total } });
  };

const zoom = (name: string, ...days: readonly string[]): Respond =>
  withForm(DAY, days, (call, data) => {
    if (numberOf(call, 'page_size', 30) > 300) throw new RejectedRequest('The page is too large.');
    const { records, cursor = '' } = pageAtCursor(data, call.url.searchParams.get('next_page_token'));
    return ok({ page_size: 300, next_page_token: cursor, [name]: records });
  });

export const COLLABORATION_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'calendly/rest-api': {
    bases: ['https://api.calendly.com'],
    pages: {
      'GET /organization_memberships': calendlyOf,
      'GET /organizations/*/invitations': calendly,
      'GET /event_types': calendlyOf,
      'GET /scheduled_events': withForm(TIME, ['min_start_time', 'max_start_time'], calendlyOf),
      'GET /scheduled_events/*/invitees': calendly,
      'GET /groups': calendlyOf,
      'GET /group_relationships': calendlyOf,
      'GET /routing_forms': calendlyOf,
      'GET /routing_form_submissions': withParameters({ form: 'https://api.calendly.com/things/uuid-0' }, calendly),
      'GET /activity_log_entries': calendlyOf,
    },
    records: { 'GET /users/me': (_, { records: [resource = null] }) => ok({ resource }) },
    values: {
      uri: (nth) => `https://api.calendly.com/things/uuid-${nth}`,
      uuid: (nth) => `uuid-${nth}`,
      current_organization: (nth) => `https://api.calendly.com/organizations/org-${nth}`,
      organization_uuid: (nth) => `org-${nth}`,
    },
  },
  'clickup/rest-api': {
    bases: ['https://api.clickup.com/api/v2'],
    pages: {
      'GET /team/*/task': clickUpTasks,
      'GET /task/*/comment': clickUpComments,
      'GET /list/*/comment': clickUpComments,
    },
    lists: {
      'GET /team': clickUpTeams,
      'GET /team/*/space': clickUpList('spaces'),
      'GET /space/*/folder': clickUpList('folders'),
      'GET /folder/*/list': clickUpList('lists', 'due_date', 'start_date'),
      'GET /space/*/list': clickUpList('lists', 'due_date', 'start_date'),
      'GET /list/*/field': clickUpList('fields', 'date_created'),
      'GET /space/*/tag': clickUpList('tags'),
      'GET /team/*/goal': clickUpList('goals', 'date_created', 'last_update', 'due_date'),
    },
    values: { date_updated: (nth) => timeOf(nth).getTime() },
  },
  'figma/rest-api': {
    bases: ['https://api.figma.com'],
    pages: {
      'GET /v1/teams/*/components': figmaLibrary('components'),
      'GET /v1/teams/*/component_sets': figmaLibrary('component_sets'),
      'GET /v1/teams/*/styles': figmaLibrary('styles'),
      'GET /v1/files/*/versions': figmaVersions,
    },
    lists: {
      'GET /v1/teams/*/projects': listOf('projects'),
      'GET /v1/projects/*/files': listOf('files'),
      'GET /v1/files/*/comments': listOf('comments'),
      'GET /v1/files/*/dev_resources': listOf('dev_resources'),
    },
    records: { 'GET /v1/files/*/meta': (_, { records: [file] }) => (file ? ok(file) : NOT_FOUND) },
  },
  'smartsheet/rest-api': {
    bases: ['https://api.smartsheet.com/2.0'],
    pages: {
      'GET /sheets': withForm(TIME, ['modifiedSince'], smartsheet),
      'GET /sheets/*': smartsheetRows,
      'GET /sheets/*/discussions': withParameters({ include: 'comments' }, smartsheet),
      'GET /sheets/*/attachments': smartsheet,
      'GET /reports': smartsheet,
      'GET /workspaces': smartsheet,
      'GET /users': smartsheet,
      'GET /groups': smartsheet,
    },
    lists: { 'GET /sheets/*/columns': withParameters({ includeAll: 'true' }, listOf('data')) },
  },
  'toggl-track/rest-api': {
    bases: ['https://api.track.toggl.com'],
    pages: {
      'GET /api/v9/organizations/*/users': togglPages,
      'GET /api/v9/workspaces/*/projects': withParameters({ active: 'both' }, togglPages),
      'GET /api/v9/workspaces/*/tasks': withParameters({ active: 'both' }, togglTasks),
      'POST /reports/api/v3/workspace/*/search/time_entries': togglReport,
    },
    lists: {
      'GET /api/v9/me/organizations': togglList,
      'GET /api/v9/organizations/*/groups': togglList,
      'GET /api/v9/me/workspaces': togglList,
      'GET /api/v9/workspaces/*/clients': withParameters({ status: 'both' }, togglList),
      'GET /api/v9/workspaces/*/tags': togglList,
      'GET /api/v9/me/time_entries': withForm(DAY, ['start_date', 'end_date'], togglList),
    },
  },
  'webflow/data-api': {
    bases: ['https://api.webflow.com/v2'],
    pages: {
      'GET /collections/*/items': withForm(TIME, ['lastUpdated[gte]', 'lastUpdated[lte]'], webflow('items')),
      'GET /sites/*/pages': webflow('pages'),
      'GET /sites/*/forms': webflow('forms'),
      'GET /forms/*/submissions': webflow('formSubmissions'),
      'GET /sites/*/products': webflow('items'),
      'GET /sites/*/orders': webflow('orders'),
      'GET /sites/*/assets': webflow('assets'),
    },
    lists: {
      'GET /sites': listOf('sites'),
      'GET /sites/*/collections': listOf('collections'),
      'GET /collections/*': listOf('fields'),
    },
  },
  'zoom/rest-api': {
    bases: ['https://api.zoom.us/v2'],
    pages: {
      'GET /users': withParameters({ status: 'active' }, zoom('users')),
      'GET /users/*/meetings': withParameters({ type: 'scheduled' }, zoom('meetings')),
      'GET /meetings/*/registrants': zoom('registrants'),
      'GET /report/users/*/meetings': zoom('meetings', 'from', 'to'),
      'GET /report/meetings/*/participants': zoom('participants'),
      'GET /users/*/recordings': zoom('meetings', 'from', 'to'),
      'GET /users/*/webinars': zoom('webinars'),
      'GET /webinars/*/registrants': zoom('registrants'),
    },
    lists: { 'GET /webinars/*/panelists': listOf('panelists'), 'GET /groups': listOf('groups') },
    values: { uuid_path: (nth) => `uuid-${nth}` },
  },
};
