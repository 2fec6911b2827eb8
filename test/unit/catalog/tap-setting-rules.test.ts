import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type {
  ConnectorDefinition,
  TapDefinition,
  VendorDefinition,
} from '../../../src/catalog/definitions/definition.js';
import { TAP_EXPRESSIONS } from '../../../src/catalog/definitions/tap-settings.js';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { IncrementalParams } from '../../../src/catalog/model/tap-sync.js';
import type { RestConfig } from '../../../src/catalog/model/transport-option.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import {
  aConfigSchema,
  aTap,
  type BrokenDefinition,
  withConnector,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const edge = { from: 'a', to: 'b', parentKeyField: 'id' };
const org = { ingestionConfigSchema: aConfigSchema({ org: { type: 'string' } }) };

const BROKEN: BrokenDefinition[] = [
  ['expression-compiles', 'a path of records', withTap({ responseExtraction: { responsePath: 'data[' } }), 'data[ '],
  ['expression-compiles', 'a path of cursors', paged({ type: 'cursor', cursor: { cursorPath: 'a..b' } }), 'a..b '],
  [
    'expression-compiles',
    'a path of pages of an asynchronous query',
    withTap({
      sync: {
        mode: 'full',
        asyncQuery: { recordsPagination: { type: 'offset', offset: { totalPath: 'none()' } } },
      },
    }),
    'none() ',
  ],
  [
    'expression-compiles',
    'a rule for errors',
    withTap({
      transportOptions: [
        { apiType: 'rest', restConfig: {}, errorBodyRules: [{ jmesPath: 'a' }, { jmesPath: 'error[' }] },
      ],
    }),
    'error[ ',
  ],
  [
    'expression-compiles',
    'an expiry of cursors',
    withTap({
      sync: { mode: 'incremental', onCursorExpired: { statusCode: 410, jmesPath: 'error[', values: ['gone'] } },
    }),
    'error[ ',
  ],
  ['body-path-is-valid', 'a filter in the body', windowed({ bodyFilterPath: 'filters[].value' }), 'filters[].value '],
  [
    'body-path-is-valid',
    'a cursor in the body',
    paged({ type: 'cursor', cursor: { cursorPath: 'next', cursorBodyPath: 'a[' } }),
    'a[ ',
  ],
  ['time-format-is-supported', 'a start', windowed({ sinceParam: 'from', sinceFormat: 'QQ' }), 'QQ '],
  ['time-format-is-supported', 'an end', windowed({ untilParam: 'to', untilFormat: 'YYYY-MM-DD' }), 'YYYY-MM-DD '],
  [
    'cursor-format-is-supported',
    'a cursor',
    withTap({ sync: { mode: 'incremental', cursorField: 'at', cursorValueFormat: 'rfc822' } }),
    'rfc822 ',
  ],
  [
    'key-algorithm-exists',
    'a synthetic key',
    withTap({ responseExtraction: { syntheticPrimaryKey: { fields: ['a'], algorithm: 'crc32' } } }),
    'crc32 ',
  ],
  [
    'field-pattern-compiles',
    'a pattern of custom fields',
    withTap({ customFields: { captureUnknownFields: false, knownCustomFieldKeyPatterns: ['^a', '['] } }),
    '"["',
  ],
  ['template-variable-known', 'the endpoint', read({ endpoint: '/orgs/{org}/issues' }), '/orgs/{org}/issues '],
  [
    'template-variable-known',
    'the endpoint of GraphQL',
    withTap({ transportOptions: [{ apiType: 'graphql', graphqlConfig: { endpoint: '/{org}' } }] }),
    '/{org} ',
  ],
  [
    'template-variable-known',
    'the endpoint of another tap than the child',
    related({ ...edge, templateVariable: 'org' }, '/orgs/{org}', '/b'),
    '/orgs/{org} ',
  ],
  ['template-variable-known', 'a query parameter', read({ queryParams: { q: ['{org}'] } }), '"{org}"'],
  ['template-variable-known', 'a header', read({ headers: { org: 'x {org}' } }), 'x {org} '],
  [
    'template-variable-known',
    'a nested value of the body',
    read({ method: 'POST', requestBody: { a: [{ b: '{org}' }] } }),
    '"{org}"',
  ],
  [
    'template-variable-known',
    'a GraphQL variable',
    withTap({ transportOptions: [{ apiType: 'graphql', graphqlConfig: { variables: { id: '{org}' } } }] }),
    '"{org}"',
  ],
  ['template-variable-known', 'a query template', windowed({ queryTemplate: 'x >= {form}' }), 'x >= {form} '],
  ['template-variable-known', 'a window of a full read', read({ queryParams: { from: '{since}' } }), '"{since}"'],
  [
    'template-variable-known',
    'the status of an asynchronous query',
    withTap({ sync: { mode: 'full', asyncQuery: { statusEndpoint: '/jobs/{id}' } } }),
    '/jobs/{id} ',
  ],
  ['template-has-no-secret', 'the endpoint', read({ endpoint: '/{token}' }), '/{token} '],
  ['template-has-no-secret', 'a header', read({ headers: { key: '{token}' } }), '"{token}"'],
];

const VALID: ValidDefinition[] = [
  ['a query in double braces', read({ endpoint: '/issues?filter={{user}}' })],
  ['a field of the config in all places', read({ endpoint: '/{org}', headers: { a: '{org}' } }, org)],
  [
    'a variable of the address in the endpoint',
    read(
      { endpoint: '/{org}' },
      { addressingConfig: { basePath: '/{org}', variables: [{ name: 'org', source: 'constant' }] } },
    ),
  ],
  [
    'the item of a fan-out',
    read(
      { endpoint: '/{repo}', queryParams: { repo: '{repo}' } },
      {
        ingestionConfigSchema: aConfigSchema({ repos: { type: 'string' } }),
        traversal: { rootTaps: ['issues'], configFanouts: [{ configField: 'repos', templateVariable: 'repo' }] },
      },
    ),
  ],
  ['a field of the parent', related({ ...edge, parentKeyField: 'login' }, '/a', '/{login}')],
  ['a field of the parent under another name', related({ ...edge, templateVariable: 'org' }, '/a', '/{org}')],
  [
    'a field copied from the parent',
    related({ ...edge, parentContextFields: [{ sourceField: 'login', targetField: 'org' }] }, '/a', '/{org}'),
  ],
  [
    'a field that the tap copies from the parent',
    related(edge, '/a', '/{org}', { parentContextFields: [{ sourceField: 'login', targetField: 'org' }] }),
  ],
  ['a time format with microseconds', windowed({ sinceFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX" })],
  [
    'ids of responses',
    withTap({
      sync: { mode: 'full', asyncQuery: { statusEndpoint: '/jobs/{queryId}' } },
      transportOptions: [
        {
          apiType: 'rest',
          restConfig: {},
          pagination: { type: 'session_page', sessionPage: { pagePath: '/{sid}', sessionIdParam: 'sid' } },
        },
      ],
    }),
  ],
];

describeRules('the settings of a tap, in', ['tap-setting-rules'], BROKEN, VALID);

it('compiles each expression that the schema of definitions describes', () => {
  const { $defs } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'catalog/definition.schema.json'), 'utf8'));
  const missing: string[] = [];
  const visit = (name: string, path: string): void => {
    for (const [field, schema] of Object.entries<Schema>($defs[name].properties)) {
      const at = path ? `${path}.${field}` : field;
      if (schema.description?.startsWith('JMESPath') && !TAP_EXPRESSIONS.includes(at)) missing.push(at);
      const type = schema.$ref ?? schema.items?.$ref;
      if (type) visit(type.replace('#/$defs/', ''), schema.items ? `${at}.*` : at);
    }
  };
  visit('ConnectorTap', '');
  expect(missing).toEqual([]);
});

interface Schema {
  readonly $ref?: string;
  readonly items?: { readonly $ref?: string };
  readonly description?: string;
}

function withTap(overrides: Partial<TapDefinition>): VendorDefinition {
  return withConnector({ taps: [aTap(overrides)] });
}

function read(restConfig: RestConfig, overrides: Partial<ConnectorDefinition> = {}): VendorDefinition {
  return withConnector({ taps: [aTap({ transportOptions: [{ apiType: 'rest', restConfig }] })], ...overrides });
}

function paged(pagination: Pagination): VendorDefinition {
  return withTap({ transportOptions: [{ apiType: 'rest', restConfig: {}, pagination }] });
}

function windowed(incrementalParams: IncrementalParams): VendorDefinition {
  return withTap({ sync: { mode: 'incremental', incrementalParams } });
}

/** `a` and `b` are the endpoints of the taps with these names. The tap `b` is the child of `a`. */
function related(
  traversal: NonNullable<NonNullable<ConnectorDefinition['traversal']>['edges']>[number],
  a: string,
  b: string,
  child: Partial<TapDefinition> = {},
): VendorDefinition {
  const option = (endpoint: string) => ({ apiType: 'rest' as const, restConfig: { endpoint } });
  const taps = [
    aTap({ name: 'a', transportOptions: [option(a)] }),
    aTap({ name: 'b', transportOptions: [option(b)], ...child }),
  ];
  return withConnector({ taps, traversal: { rootTaps: ['a'], edges: [traversal] } });
}
