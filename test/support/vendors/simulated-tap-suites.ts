import type { VendorCallRecord } from '../servers/any-host-server.js';
import {
  linkOf,
  ok,
  pageAtCursor,
  pick,
  RejectedRequest,
  type Respond,
  type VendorData,
  type VendorDialect,
  withParameters,
} from './simulated-tap-pages.js';
import { type SimulatedRecord, timeOf } from './simulated-tap-records.js';

function google(list: string, more: object = {}): Respond {
  return (call, data) => {
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('pageToken'));
    return ok({
      kind: `google#${list}`,
      ...more,
      ...(records.length > 0 && { [list]: records }),
      ...(cursor && { nextPageToken: cursor }),
    });
  };
}

/** Returns only the fields that `fields` names, such as `nextPageToken,files(id,name)`. */
function drive(list: string): Respond {
  return (call, data) => {
    const fields = call.url.searchParams.get('fields') ?? `kind,nextPageToken,${list}(kind,id,name)`;
    const names = new RegExp(`${list}\\(([^)]*)\\)`).exec(fields)?.[1]?.split(',') ?? [];
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('pageToken'));
    const token = fields.split(',').includes('nextPageToken') && cursor;
    return ok({ [list]: records.map((record) => pick(record, names)), ...(token && { nextPageToken: token }) });
  };
}

/** The URL of the next page is absolute and has a token instead of an offset. `$select` limits the fields. */
const graph: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('$skiptoken'));
  return ok({
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata',
    ...(cursor && { '@odata.nextLink': linkOf(call, { $skiptoken: cursor }).href }),
    value: records.map((record) => selected(call, record)),
  });
};

function selected({ url }: VendorCallRecord, record: SimulatedRecord): SimulatedRecord {
  const names = url.searchParams.get('$select')?.split(',');
  return names ? pick(record, names) : record;
}

/** Requires the preference for immutable ids, because Outlook would otherwise return different ids. */
const outlook: Respond = (call, data) => {
  if (call.headers.prefer !== 'IdType="ImmutableId"')
    throw new RejectedRequest('The ids of this page are not immutable.');
  return graph(call, data);
};

const ofCustomer = { customer: 'my_customer' };
const people = {
  'GET /admin/directory/v1/users': withParameters(ofCustomer, google('users')),
};
const message: Respond = (_, { records: [record] }: VendorData) => (record ? ok(record) : { status: 404, body: {} });
const entra: VendorDialect = {
  bases: ['https://graph.microsoft.com/v1.0'],
  pages: {
    'GET /users': graph,
    'GET /groups': graph,
    'GET /groups/*/members': graph,
    'GET /auditLogs/signIns': graph,
    'GET /users/*/mailFolders': graph,
    'GET /users/*/messages': outlook,
    'GET /users/*/events': outlook,
    'GET /teams': graph,
    'GET /teams/*/members': graph,
    'GET /teams/*/channels': graph,
    'GET /teams/*/channels/getAllMessages': graph,
  },
  values: { channelIdentity: (nth) => ({ teamId: 'team-1', channelId: `19:${nth}@thread.tacv2` }) },
};

export const SUITE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'google-workspace/directory': {
    bases: ['https://admin.googleapis.com'],
    pages: {
      ...people,
      'GET /admin/directory/v1/groups': withParameters(ofCustomer, google('groups')),
      'GET /admin/directory/v1/groups/*/members': google('members'),
    },
    lists: {
      'GET /admin/directory/v1/customer/*/orgunits': (_, { records }) =>
        ok({ kind: 'admin#directory#orgUnits', ...(records.length > 0 && { organizationUnits: records }) }),
    },
  },
  'google-workspace/drive': {
    bases: ['https://www.googleapis.com/drive/v3'],
    pages: { 'GET /files': drive('files'), 'GET /drives': drive('drives') },
  },
  'google-workspace/calendar': {
    bases: ['https://www.googleapis.com'],
    pages: {
      ...people,
      'GET /calendar/v3/users/me/calendarList': google('items', { nextSyncToken: 'sync-token' }),
      'GET /calendar/v3/calendars/*/events': withParameters(
        { showDeleted: 'true' },
        google('items', { timeZone: 'UTC' }),
      ),
    },
  },
  'google-workspace/gmail': {
    bases: ['https://www.googleapis.com'],
    pages: { ...people, 'GET /gmail/v1/users/me/messages': google('messages', { resultSizeEstimate: 5 }) },
    records: { 'GET /gmail/v1/users/me/messages/*': message },
    values: { internalDate: (nth) => `${timeOf(nth).getTime()}` },
  },
  'microsoft/entra-id': entra,
  'microsoft/outlook': entra,
  'microsoft/teams': entra,
};
