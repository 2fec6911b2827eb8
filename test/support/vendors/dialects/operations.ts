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

const incidents =
  (name: string, maximum: number): Respond =>
  (call, data) => {
    const { searchParams } = call.url;
    if (numberOf(call, 'page_size', 25) > maximum) throw new RejectedRequest('The page is too large.');
    for (const filter of ['created_at[gte]', 'updated_at[gte]'])
      if (!/^\d{4}-\d\d-\d\d$/.test(searchParams.get(filter) ?? '2026-01-01'))
        throw new RejectedRequest(`Invalid ${filter}.`);
    const { records, cursor = null, total } = pageAtCursor(data, searchParams.get('after'));
    return ok({ [name]: records, pagination_meta: { after: cursor, page_size: 2, total_record_count: total } });
  };

const listOf =
  (name: string): Respond =>
  (_, { records }) =>
    ok({ [name]: records });

const postHog: Respond = (call, data) => {
  for (const limit of ['after', 'before'])
    if (!/^\d{4}-.*Z$/.test(call.url.searchParams.get(limit) ?? '2026-01-01T00:00:00Z'))
      throw new RejectedRequest(`Invalid ${limit}.`);
  const { records, next, total } = pageAt(data, numberOf(call, 'offset', 0));
  const link = next === undefined ? null : linkOf(call, { offset: next }).href;
  return ok({ count: total, next: link, previous: null, results: records });
};

export const OPERATION_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'incident-io/rest-api': {
    bases: ['https://api.incident.io'],
    pages: {
      'GET /v2/incidents': incidents('incidents', 500),
      'GET /v2/incident_updates': incidents('incident_updates', 250),
      'GET /v2/alerts': incidents('alerts', 50),
      'GET /v2/escalations': incidents('escalations', 50),
      'GET /v2/schedules': incidents('schedules', 100),
      'GET /v2/users': incidents('users', 10_000),
      'GET /v3/teams': incidents('teams', 250),
      'GET /v3/catalog_entries': withParameters({ catalog_type_id: 'id-0' }, incidents('catalog_entries', 250)),
    },
    lists: {
      'GET /v1/incident_attachments': withParameters({ incident_id: 'id-0' }, listOf('incident_attachments')),
      'GET /v2/actions': listOf('actions'),
      'GET /v2/follow_ups': listOf('follow_ups'),
      'GET /v1/severities': listOf('severities'),
      'GET /v1/incident_statuses': listOf('incident_statuses'),
      'GET /v1/incident_types': listOf('incident_types'),
      'GET /v2/incident_roles': listOf('incident_roles'),
      'GET /v2/custom_fields': listOf('custom_fields'),
      'GET /v3/catalog_types': listOf('catalog_types'),
    },
  },
  'posthog/rest-api': {
    bases: ['https://us.posthog.com/api'],
    pages: {
      'GET /organizations/': postHog,
      'GET /organizations/*/projects/': postHog,
      'GET /projects/*/events/': postHog,
      'GET /projects/*/persons/': postHog,
      'GET /projects/*/cohorts/': postHog,
      'GET /projects/*/feature_flags/': postHog,
      'GET /projects/*/insights/': postHog,
      'GET /projects/*/annotations/': postHog,
    },
  },
};
