import { describe, expect, it } from 'vitest';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import { evaluateJmesPath } from '../../../src/kernel/formats/jmespath.js';

const vendors = new Map((await readShippedDefinitions()).map((vendor) => [vendor.slug, vendor]));

const tap = (name: string, path: string) => `connectors[].taps[] | [?name == '${name}'].${path} | [0]`;
const strategy = (connector: string, key: string, path: string) =>
  `connectors[?key == '${connector}'].supportedAuthStrategies[] | [?key == '${key}'].${path} | [0]`;

const DRIVE = 'https://www.googleapis.com/auth/drive';
const LINK = { cursorPath: '_links.next', cursorLinkParam: 'cursor', cursorParam: 'cursor' };

/** Facts that were wrong in earlier definitions, each with its source. */
const FACTS: [source: string, vendor: string, path: string, value: unknown][] = [
  [
    'method drive.drives.list of drive:v3',
    'google-workspace',
    tap('shared_drives', 'sync.scopes'),
    [`${DRIVE}.readonly`],
  ],
  ...['domain-wide-delegation', 'oauth'].map((key): [string, string, string, unknown] => [
    'method drive.drives.list of drive:v3',
    'google-workspace',
    strategy('drive', key, 'defaultScopes'),
    [`${DRIVE}.metadata.readonly`, `${DRIVE}.readonly`],
  ]),
  [
    '325,000 units a minute, 100 a list: developers.google.com/drive/api/guides/limits',
    'google-workspace',
    "connectors[?key == 'drive'].rateLimits.requestsPerSecond | [0]",
    Math.floor(325_000 / 100 / 60),
  ],
  [
    'errors of developers.google.com/workspace/calendar/api/guides/errors',
    'google-workspace',
    tap('events', 'sync.onCursorExpired'),
    { statusCode: 410, jmesPath: 'error.errors[0].reason', values: ['updatedMinTooLongAgo'] },
  ],
  ...['spaces', 'pages', 'page_comments'].map((name): [string, string, string, unknown] => [
    'issue 1655 of atlassian-api/atlassian-python-api',
    'atlassian',
    tap(name, 'transportOptions[0].pagination.cursor'),
    LINK,
  ]),
  [
    'servers of datadog_api_client/configuration.py',
    'datadog',
    "connectors[0].ingestionConfigSchema.properties.site.enum[?contains(@, 'uk1') || starts_with(@, 'us2')]",
    ['uk1.datadoghq.com', 'us2.ddog-gov.com'],
  ],
  [
    'note on aws_id of datadog_api_client/v1/api/hosts_api.py',
    'datadog',
    tap('hosts', 'responseExtraction.primaryKey'),
    'name',
  ],
  ...['contacts', 'companies'].map((name): [string, string, string, unknown] => [
    'RECORDS_LIMIT of airbyte source-hubspot',
    'hubspot',
    tap(name, 'transportOptions[0].pagination.restart'),
    { afterRecords: 10_000, keyField: 'id', bodyPath: 'filterGroups[0].filters[1].value' },
  ]),
  [
    'MultiAssociatedObjectWithLabel of HubSpot associations v4',
    'hubspot',
    tap('deal_contacts', 'schema.properties.toObjectId.type'),
    'string',
  ],
  ['defaultNotionVersion of makenotion/notion-sdk-js', 'notion', 'connectors[0].apiVersion', '2025-09-03'],
  [
    'queryDataSource of makenotion/notion-sdk-js',
    'notion',
    tap('database_rows', 'transportOptions[0].restConfig.endpoint'),
    '/data_sources/{dataSourceId}/query',
  ],
  [
    'x-api-token of pipedrive/client-nodejs',
    'pipedrive',
    strategy('pipedrive-crm', 'api-token', 'apiKeyConfig'),
    { headerName: 'x-api-token' },
  ],
  [
    'user-list-events of microsoftgraph/microsoft-graph-docs-contrib',
    'microsoft',
    "connectors[?key == 'outlook'].taps[] | [?name == 'events'].sync.scopes | [0]",
    ['Calendars.Read'],
  ],
  [
    'JQL date formats: confluence.atlassian.com, "if you omit the quote-marks"',
    'atlassian',
    tap('issues', 'sync.incrementalParams'),
    { queryParam: 'jql', queryTemplate: 'updated >= {since} ORDER BY updated ASC', sinceFormat: 'epoch_millis' },
  ],
  [
    'issues/list-comments-for-repo of octokit types',
    'github',
    tap('comments', 'transportOptions[0].restConfig.endpoint'),
    '/repos/{repository}/issues/comments',
  ],
  [
    'getNotes of pipedrive/client-nodejs',
    'pipedrive',
    tap('notes', 'sync.incrementalParams'),
    { sinceParam: 'updated_since', sinceFormat: 'iso8601' },
  ],
  [
    'Incremental Organization Export of developer.zendesk.com',
    'zendesk',
    tap('organizations', 'transportOptions[0].restConfig.endpoint'),
    '/api/v2/incremental/organizations',
  ],
  ...Object.entries({ invoices: 'invoice.*', charges: 'charge.*' }).map(
    ([name, type]): [string, string, string, unknown] => [
      'EventListParams of the npm package stripe',
      'stripe',
      tap(name, 'transportOptions[0].restConfig'),
      { endpoint: '/events', queryParams: { type, limit: 100 } },
    ],
  ),
  ['docs.slack.dev/authentication/using-pkce', 'slack', strategy('web-api', 'oauth', 'oauth2Config.pkce'), false],
];

describe('a fact about a vendor', () => {
  it.each(FACTS)('matches the %s', (_, vendor, path, value) => {
    expect(evaluateJmesPath(path, vendors.get(vendor))).toEqual(value);
  });
});
