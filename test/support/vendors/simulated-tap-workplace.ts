import {
  jsonOf,
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
import { type SimulatedRecord, timeOf } from './simulated-tap-records.js';

/** `size` is the default of `maxResults`. Without `hasTotal`, the response omits the total. */
function jira(list: string, { size, hasTotal = true }: { size: number; hasTotal?: boolean }): Respond {
  return (call, data) => {
    const startAt = numberOf(call, 'startAt', 0);
    const maxResults = numberOf(call, 'maxResults', size);
    const { records, next, total } = pageAt(data, startAt, maxResults);
    return ok({ startAt, maxResults, ...(hasTotal && { total }), isLast: next === undefined, [list]: records });
  };
}

const jiraUsers: Respond = (call, data) =>
  ok(pageAt(data, numberOf(call, 'startAt', 0), numberOf(call, 'maxResults', 50)).records);

const jiraSearch: Respond = (call, data) => {
  const jql = call.url.searchParams.get('jql') ?? '';
  if (!/^(updated|created) >= \d+ ORDER BY updated ASC$/.test(jql)) throw new RejectedRequest(`Invalid JQL: ${jql}`);
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('nextPageToken'));
  return ok({ issues: records, ...(cursor ? { nextPageToken: cursor, isLast: false } : { isLast: true }) });
};

const plainList: Respond = (_, { records }) => ok(records);

const jiraGroupMembers: Respond = (call, data) => {
  if (!call.url.searchParams.get('groupId')) throw new RejectedRequest('The parameter groupId is required.');
  return jira('values', { size: 50 })(call, data);
};

/** Without `expand`, a filter has only its id, name and link. */
const jiraFilters: Respond = (call, data) => {
  const expanded = call.url.searchParams.get('expand')?.split(',') ?? [];
  const records = data.records.map((record) => pick(record, ['id', 'name', 'self', ...expanded]));
  return jira('values', { size: 50 })(call, { ...data, records });
};

/** Labels are strings instead of objects. */
const jiraLabels: Respond = (call, data) => {
  const { status, body } = jira('values', { size: 1_000 })(call, data);
  const { values, ...page } = body as { values: readonly SimulatedRecord[] };
  return { status, body: { ...page, values: values.map(({ label }) => label) } };
};

const jiraTime = (nth: number): string => timeOf(nth).toISOString().replace('Z', '+0000');

/** The link to the next page is relative to the site, even for OAuth requests, whose base URL has a different path. */
const confluence: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  const { pathname, search } = linkOf(call, { cursor: cursor ?? '' });
  const next = cursor && { next: pathname.replace(/^\/ex\/confluence\/[^/]+/, '') + search };
  return ok({ results: records, _links: { base: 'https://acme.atlassian.net/wiki', ...next } });
};

/** The `Link` header contains `self` and, except on the last page, `next`. */
const okta: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('after'));
  const next = cursor ? [`<${linkOf(call, { after: cursor }).href}>; rel="next"`] : [];
  return ok(records, { link: [`<${call.url.href}>; rel="self"`, ...next] });
};

function oktaLinks(list: string): Respond {
  return (call, data) => {
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('after'));
    return ok({ [list]: records, _links: cursor ? { next: { href: linkOf(call, { after: cursor }).href } } : {} });
  };
}

const oktaPolicies: Respond = (call, data) => {
  if (!call.url.searchParams.get('type')) throw new RejectedRequest('The parameter type is required.');
  return okta(call, data);
};

/** Without `until`, even the last page has a link to a next page, for future events. */
const oktaLog: Respond = (call, data) => {
  const { status, body, headers } = okta(call, data);
  const hasNext = call.url.searchParams.has('until') || headers?.link?.length === 2;
  if (hasNext) return { status, body, headers: headers ?? {} };
  const later = linkOf(call, { after: `c+/${data.records.length}==` }).href;
  return { status, body, headers: { link: [`<${call.url.href}>; rel="self"`, `<${later}>; rel="next"`] } };
};

function notionList(list: string): Respond {
  return (call, data) => {
    const sent = call.method === 'POST' ? jsonOf(call).start_cursor : call.url.searchParams.get('start_cursor');
    const { records, cursor } = pageAtCursor(data, sent);
    return ok({ object: 'list', [list]: records, next_cursor: cursor ?? null, has_more: cursor !== undefined });
  };
}

const notion = notionList('results');

const notionViews: Respond = (call, data) => {
  if (!call.url.searchParams.get('data_source_id')) throw new RejectedRequest('data_source_id is required.');
  return notion(call, data);
};

const notionObject: Respond = (_, { records: [record] }) =>
  record ? ok(record) : { status: 404, body: { object: 'error', status: 404, code: 'object_not_found' } };

function slack(list: string): Respond {
  return (call, data) => {
    const { records, cursor = '' } = pageAtCursor(data, call.url.searchParams.get('cursor'));
    return ok({ ok: true, [list]: records, response_metadata: { next_cursor: cursor } });
  };
}

const slackMessages: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('cursor'));
  const next = cursor && { response_metadata: { next_cursor: cursor } };
  return ok({ ok: true, messages: records, has_more: cursor !== undefined, ...next });
};

/** The list `members` contains user ids instead of objects. */
const slackMembers: Respond = (call, data) => {
  const { status, body } = slack('members')(call, data);
  const { members, ...others } = body as { members: readonly SimulatedRecord[] };
  return { status, body: { ...others, members: members.map(({ user_id }) => user_id) } };
};

const slackFiles: Respond = (call, data) => {
  const [page, count] = [numberOf(call, 'page', 1), numberOf(call, 'count', 100)];
  const { records, total } = pageAt(data, (page - 1) * count, count);
  return ok({ ok: true, files: records, paging: { count, total, page, pages: Math.ceil(total / count) } });
};

/** These lists of a channel have no pages. */
function slackChannelList(list: string, parameter: string): Respond {
  return (call, { records }) => {
    if (!call.url.searchParams.get(parameter)) throw new RejectedRequest(`The parameter ${parameter} is required.`);
    return ok({ ok: true, [list]: records });
  };
}

/** The records of the tap `user_group_members` are the users of the groups. */
const slackUserGroups: Respond = (call, { tap, records }) => {
  if (call.url.searchParams.get('include_users') !== 'true') throw new RejectedRequest('The groups have no users.');
  const isMembers = tap.name === 'user_group_members';
  const groups = records.map(({ user_group_id: id, user_id }) => ({ id, users: [user_id] }));
  return ok({ ok: true, usergroups: isMembers ? groups : records });
};

export const WORKPLACE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'atlassian/jira-cloud': {
    bases: ['https://acme.atlassian.net', 'https://api.atlassian.com/ex/jira/11111111-2222-3333-4444-555555555555'],
    pages: {
      'GET /rest/api/3/project/search': jira('values', { size: 50 }),
      'GET /rest/api/3/users/search': jiraUsers,
      'GET /rest/api/3/search/jql': jiraSearch,
      'GET /rest/api/3/issue/*/comment': jira('comments', { size: 5_000 }),
      'GET /rest/agile/1.0/board': jira('values', { size: 50 }),
      'GET /rest/agile/1.0/board/*/sprint': jira('values', { size: 50, hasTotal: false }),
      'GET /rest/api/3/priority/search': jira('values', { size: 50 }),
      'GET /rest/api/3/resolution/search': jira('values', { size: 50 }),
      'GET /rest/api/3/project/*/component': jira('values', { size: 50 }),
      'GET /rest/api/3/project/*/version': jira('values', { size: 50 }),
      'GET /rest/api/3/issue/*/worklog': jira('worklogs', { size: 5_000 }),
      'GET /rest/api/3/issue/*/changelog': jira('values', { size: 100 }),
      'GET /rest/api/3/group/bulk': jira('values', { size: 50 }),
      'GET /rest/api/3/group/member': jiraGroupMembers,
      'GET /rest/api/3/filter/search': jiraFilters,
      'GET /rest/api/3/dashboard': jira('dashboards', { size: 20 }),
      'GET /rest/api/3/label': jiraLabels,
    },
    lists: {
      'GET /rest/api/3/field': plainList,
      'GET /rest/api/3/status': plainList,
      'GET /rest/api/3/issuetype': plainList,
      'GET /rest/api/3/issueLinkType': (_, { records }) => ok({ issueLinkTypes: records }),
      'GET /rest/api/3/projectCategory': plainList,
    },
    values: { 'fields.updated': jiraTime, updated: jiraTime },
  },
  'atlassian/confluence-cloud': {
    bases: [
      'https://acme.atlassian.net',
      'https://api.atlassian.com/ex/confluence/11111111-2222-3333-4444-555555555555',
    ],
    pages: {
      'GET /wiki/api/v2/spaces': confluence,
      'GET /wiki/api/v2/spaces/*/pages': confluence,
      'GET /wiki/api/v2/pages/*/footer-comments': confluence,
      'GET /wiki/api/v2/blogposts': confluence,
      'GET /wiki/api/v2/blogposts/*/footer-comments': confluence,
      'GET /wiki/api/v2/inline-comments': confluence,
      'GET /wiki/api/v2/attachments': confluence,
      'GET /wiki/api/v2/tasks': confluence,
      'GET /wiki/api/v2/pages/*/labels': confluence,
      'GET /wiki/api/v2/pages/*/versions': confluence,
      'GET /wiki/api/v2/spaces/*/permissions': confluence,
    },
  },
  'okta/okta-api': {
    bases: ['https://acme.okta.test'],
    pages: {
      'GET /api/v1/users': okta,
      'GET /api/v1/groups': okta,
      'GET /api/v1/groups/*/users': okta,
      'GET /api/v1/apps': okta,
      'GET /api/v1/apps/*/users': okta,
      'GET /api/v1/logs': oktaLog,
      'GET /api/v1/apps/*/groups': okta,
      'GET /api/v1/groups/rules': okta,
      'GET /api/v1/devices': okta,
      'GET /api/v1/iam/assignees/users': oktaLinks('value'),
      'GET /api/v1/iam/roles': oktaLinks('roles'),
      'GET /api/v1/iam/resource-sets': oktaLinks('resource-sets'),
      'GET /api/v1/policies': oktaPolicies,
      'GET /api/v1/policies/*/rules': okta,
      'GET /api/v1/authorizationServers': okta,
      'GET /api/v1/idps': okta,
      'GET /api/v1/zones': okta,
    },
    lists: {
      'GET /api/v1/users/*/factors': plainList,
      'GET /api/v1/users/*/roles': plainList,
      'GET /api/v1/groups/*/roles': plainList,
      'GET /api/v1/iam/roles/*/permissions': (_, { records }) => ok({ permissions: records }),
      'GET /api/v1/meta/types/user': plainList,
      'GET /api/v1/authenticators': plainList,
    },
  },
  'notion/rest-api': {
    bases: ['https://api.notion.com/v1'],
    pages: {
      'GET /users': notion,
      'POST /search': notion,
      'POST /data_sources/*/query': notion,
      'GET /blocks/*/children': notion,
      'GET /comments': notion,
      'GET /data_sources/*/templates': notionList('templates'),
      'GET /views': notionViews,
      'GET /file_uploads': notion,
      'GET /custom_emojis': notion,
    },
    records: { 'GET /databases/*': notionObject, 'GET /views/*': notionObject },
  },
  'slack/web-api': {
    bases: ['https://slack.com/api'],
    pages: {
      'GET /users.list': slack('members'),
      'GET /conversations.list': withParameters({ types: 'public_channel,private_channel' }, slack('channels')),
      'GET /conversations.history': slackMessages,
      'GET /conversations.replies': slackMessages,
      'GET /conversations.members': slackMembers,
      'GET /files.list': slackFiles,
    },
    lists: {
      'GET /usergroups.list': slackUserGroups,
      'GET /bookmarks.list': slackChannelList('bookmarks', 'channel_id'),
      'GET /pins.list': slackChannelList('items', 'channel'),
      'GET /team.profile.get': (_, { records }) => ok({ ok: true, profile: { fields: records } }),
    },
    records: { 'GET /team.info': (_, { records: [team = null] }) => ok({ ok: true, team }) },
    values: { ts: (nth) => `${timeOf(nth).getTime() / 1_000}.000100` },
    unauthorized: { status: 200, body: { ok: false, error: 'invalid_auth' } },
  },
};
