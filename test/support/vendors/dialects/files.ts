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
import { timeOf } from '../simulated-tap-records.js';

/** The response contains the absolute URL of the next page. By default, a page has ten records. */
const bitbucket: Respond = (call, data) => {
  const { searchParams } = call.url;
  const filter = searchParams.get('q');
  if (filter && !/^updated_on >= \d{4}-\d\d-\d\dT[\d:]+Z$/.test(filter))
    throw new RejectedRequest(`Invalid: ${filter}`);
  const page = numberOf(call, 'page', 1);
  const size = searchParams.has('pagelen') ? PAGE_SIZE : 10;
  const { records, next, total } = pageAt(data, (page - 1) * size, size);
  const link = next !== undefined && { next: linkOf(call, { page: page + 1 }).href };
  return ok({ pagelen: size, size: total, page, values: records, ...link });
};

/** Requires all four states, because the vendor returns only open pull requests by default. */
const bitbucketPullRequests: Respond = (call, data) => {
  if (call.url.searchParams.getAll('state').length !== 4) throw new RejectedRequest('States are missing.');
  if (numberOf(call, 'pagelen', 10) > 50) throw new RejectedRequest('The page is too large.');
  return bitbucket(call, data);
};

const bitbucketMembers: Respond = (call, data) => {
  const records = data.records.map(({ user_uuid, display_name, user, ...member }) => {
    return { ...member, user: { ...(user as object), uuid: user_uuid, display_name } };
  });
  return bitbucket(call, { ...data, records });
};

const boxByMarker: Respond = (call, data) => {
  if (numberOf(call, 'limit', 100) > 1_000) throw new RejectedRequest('The limit is too large.');
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('marker'));
  return ok({ limit: PAGE_SIZE, entries: records, ...(cursor && { next_marker: cursor }) });
};

const boxByOffset: Respond = (call, data) => {
  const { records, total, offset } = pageAt(data, numberOf(call, 'offset', 0), numberOf(call, 'limit', 100));
  return ok({ total_count: total, offset, entries: records });
};

/** Requires the names of fields, because the vendor returns only some fields of users and items by default. */
const boxWithMarker = withParameters({ usemarker: 'true' }, (call, data) => {
  if (!call.url.searchParams.get('fields')?.includes('modified_at')) throw new RejectedRequest('Fields are missing.');
  return boxByMarker(call, data);
});

/** Every page has the position of the next page, even after the last event. */
const boxEvents = withParameters({ stream_type: 'admin_logs' }, (call, data) => {
  if (numberOf(call, 'limit', 100) > 500) throw new RejectedRequest('The limit is too large.');
  const position = Number(call.url.searchParams.get('stream_position') ?? 0);
  const { records } = pageAt(data, position);
  const next = `${position + records.length}`;
  return ok({ chunk_size: records.length, next_stream_position: next, entries: records });
});

export const FILE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'bitbucket/cloud-api': {
    bases: ['https://api.bitbucket.org/2.0'],
    pages: {
      'GET /repositories/some-workspace': bitbucket,
      'GET /repositories/*/*/pullrequests': bitbucketPullRequests,
      'GET /repositories/*/*/pullrequests/*/comments': bitbucket,
      'GET /repositories/*/*/commits': bitbucket,
      'GET /repositories/*/*/refs/branches': bitbucket,
      'GET /repositories/*/*/refs/tags': bitbucket,
      'GET /repositories/*/*/pipelines': withParameters({ sort: '-created_on' }, bitbucket),
      'GET /repositories/*/*/deployments': bitbucket,
      'GET /repositories/*/*/environments': bitbucket,
      'GET /workspaces/some-workspace/projects': bitbucket,
      'GET /workspaces/some-workspace/members': bitbucketMembers,
    },
    values: {
      full_name: (nth) => `acme/repository-${nth}`,
      // The vendor lists the newest pipeline first.
      created_on: (nth) => timeOf(100 - nth).toISOString(),
    },
    sent: (record, { name }) => {
      const { user_uuid, display_name, user } = record;
      return name === 'members' ? { ...record, user: { ...(user as object), uuid: user_uuid, display_name } } : record;
    },
  },
  'box/rest-api': {
    bases: ['https://api.box.com/2.0'],
    pages: {
      'GET /users': boxWithMarker,
      'GET /groups': boxByOffset,
      'GET /groups/*/memberships': boxByOffset,
      'GET /folders/0/items': boxWithMarker,
      'GET /events': boxEvents,
      'GET /retention_policies': boxByMarker,
      'GET /legal_hold_policies': boxByMarker,
      'GET /metadata_templates/enterprise': boxByMarker,
      'GET /sign_requests': boxByMarker,
      'GET /collaboration_whitelist_entries': boxByMarker,
    },
  },
};
