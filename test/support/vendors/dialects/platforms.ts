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

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The `Link` header of the last page contains no link to a next page. */
const buildkite: Respond = (call, data) => {
  if (numberOf(call, 'per_page', 30) > 100) throw new RejectedRequest('The page is too large.');
  for (const name of ['created_from', 'created_to'])
    if (!ISO_TIME.test(call.url.searchParams.get(name) ?? '2026-01-01T00:00:00Z'))
      throw new RejectedRequest(`Invalid ${name}.`);
  const page = numberOf(call, 'page', 1);
  const size = call.url.searchParams.has('per_page') ? PAGE_SIZE : 30;
  const { records, next } = pageAt(data, (page - 1) * size, size);
  const first = `<${linkOf(call, { page: 1 }).href}>; rel="first"`;
  const link = next === undefined ? first : `<${linkOf(call, { page: page + 1 }).href}>; rel="next", ${first}`;
  return ok(records, { link });
};

/** The links are in the body. The last page has no link to a next page. */
const buildkiteEvents: Respond = (call, data) => {
  if (numberOf(call, 'per_page', 30) > 100) throw new RejectedRequest('The page is too large.');
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('after'));
  const next = cursor && { next: linkOf(call, { after: cursor }).href };
  return ok({ items: records, links: { self: call.url.href, ...next } });
};

/** Requires a page size of at most `maximum`, but returns at most two records. */
const launchDarkly =
  (maximum: number, total = 'totalCount'): Respond =>
  (call, data) => {
    if (!call.url.searchParams.has('limit')) throw new RejectedRequest('The page has no size.');
    if (numberOf(call, 'limit', 20) > maximum) throw new RejectedRequest('The page is too large.');
    const page = pageAt(data, numberOf(call, 'offset', 0));
    return ok({ items: page.records, [total]: page.total, _links: { self: { href: call.url.pathname } } });
  };

/** The vendor lists the newest entries first. `before` is the time of the last entry of the previous page. */
const launchDarklyAuditLog: Respond = (call, data) => {
  if (numberOf(call, 'limit', 10) > 20) throw new RejectedRequest('The page is too large.');
  if (`${numberOf(call, 'after', Date.UTC(2026, 0))}`.length !== 13) throw new RejectedRequest('Invalid start.');
  const before = call.url.searchParams.get('before');
  const last = data.records.findIndex(({ date }) => `${date}` === before);
  if (before !== null && last < 0) throw new RejectedRequest(`Invalid end: ${before}`);
  return ok({ items: pageAt(data, last + 1).records, _links: { self: { href: call.url.pathname } } });
};

const coda: Respond = (call, data) => {
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('pageToken'));
  return ok({ items: records, href: call.url.href, ...(cursor && { nextPageToken: cursor }) });
};

const plainList: Respond = (_, { records }) => ok(records);

const circleCi: Respond = (call, data) => {
  const { records, cursor = null } = pageAtCursor(data, call.url.searchParams.get('page-token'));
  return ok({ items: records, next_page_token: cursor });
};

const circleCiOf =
  (parameter: string): Respond =>
  (call, data) => {
    if (!call.url.searchParams.get(parameter)) throw new RejectedRequest(`The request needs ${parameter}.`);
    return circleCi(call, data);
  };

const statuspage =
  (sizeName: string, first = 1): Respond =>
  (call, data) => {
    const size = numberOf(call, sizeName, 100);
    if (size > 100) throw new RejectedRequest('The page is too large.');
    return ok(pageAt(data, (numberOf(call, 'page', first) - first) * size, size).records);
  };

export const PLATFORM_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'buildkite/rest-api': {
    bases: ['https://api.buildkite.com/v2'],
    pages: {
      'GET /organizations': buildkite,
      'GET /organizations/*/pipelines': buildkite,
      'GET /organizations/*/builds': withParameters({ include_retried_jobs: 'true' }, buildkite),
      'GET /organizations/*/agents': buildkite,
      'GET /organizations/*/clusters': buildkite,
      'GET /organizations/*/clusters/*/queues': buildkite,
      'GET /organizations/*/teams': buildkite,
      'GET /organizations/*/teams/*/members': buildkite,
      'GET /organizations/*/members': buildkite,
      'GET /organizations/*/audit_events': buildkiteEvents,
    },
  },
  'launchdarkly/rest-api': {
    bases: ['https://app.launchdarkly.com/api/v2'],
    pages: {
      'GET /projects': launchDarkly(20),
      'GET /projects/*/environments': launchDarkly(20),
      'GET /flags/*': launchDarkly(20),
      'GET /segments/*/*': launchDarkly(20),
      'GET /projects/*/environments/*/experiments': withParameters(
        { lifecycleState: 'active,archived' },
        launchDarkly(20, 'total_count'),
      ),
      'GET /metrics/*': launchDarkly(50),
      'GET /members': launchDarkly(20),
      'GET /teams': withParameters({ expand: 'members,maintainers' }, launchDarkly(100)),
      'GET /roles': launchDarkly(20),
      'GET /tokens': withParameters({ showAll: 'true' }, launchDarkly(25)),
      'GET /auditlog': launchDarklyAuditLog,
    },
    values: { date: (nth) => Date.UTC(2026, 0, 5, 10, nth) },
  },
  'coda/rest-api': {
    bases: ['https://coda.io/apis/v1'],
    pages: {
      'GET /docs': coda,
      'GET /folders': coda,
      'GET /docs/*/pages': coda,
      'GET /docs/*/tables': coda,
      'GET /docs/*/tables/*/columns': coda,
      'GET /docs/*/tables/*/rows': withParameters({ valueFormat: 'simpleWithArrays' }, coda),
      'GET /docs/*/formulas': coda,
      'GET /docs/*/controls': coda,
      'GET /docs/*/acl/permissions': coda,
    },
    values: { tableType: () => 'table' },
  },
  'circleci/rest-api': {
    bases: ['https://circleci.com/api/v2'],
    pages: {
      'GET /pipeline': circleCiOf('org-slug'),
      'GET /pipeline/*/workflow': circleCi,
      'GET /workflow/*/job': circleCi,
      'GET /context': circleCiOf('owner-id'),
      'GET /context/*/environment-variable': circleCi,
    },
    lists: { 'GET /me/collaborations': plainList },
  },
  'statuspage/rest-api': {
    bases: ['https://api.statuspage.io/v1'],
    pages: {
      'GET /pages/*/incidents': statuspage('limit'),
      'GET /pages/*/components': statuspage('per_page'),
      'GET /pages/*/component-groups': statuspage('per_page'),
      'GET /pages/*/subscribers': statuspage('limit', 0),
      'GET /pages/*/metrics': statuspage('per_page'),
      'GET /pages/*/incident_templates': statuspage('per_page'),
    },
    lists: { 'GET /pages': plainList },
  },
};
