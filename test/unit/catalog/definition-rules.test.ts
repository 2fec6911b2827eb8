import { describe, expect, it } from 'vitest';
import type {
  ConnectorDefinition,
  GroupingDefinition,
  TapDefinition,
  VendorDefinition,
} from '../../../src/catalog/definitions/definition.js';
import type { AddressingConfig } from '../../../src/catalog/model/addressing-config.js';
import type { TransportOption } from '../../../src/catalog/model/transport-option.js';
import type { Traversal } from '../../../src/catalog/model/traversal.js';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
  type BrokenDefinition,
  definitionFaultsOf,
  expectFault,
  rulesIn,
  withConnector,
  withStrategy,
  yamlOf,
} from '../../support/catalog/definition-builders.js';

const BROKEN: BrokenDefinition[] = [
  ['slug-is-file-name', 'a slug that is not the name of the file', aVendor({ slug: 'other' }), 'other name: Acme '],

  [
    'named-once',
    'two connectors with the same key',
    aVendor({ connectors: [aConnector(), aConnector({ name: 'Second' })] }),
    'main name: Second',
  ],
  [
    'named-once',
    'two strategies with the same key',
    withConnector({ supportedAuthStrategies: [aStrategy(), aStrategy({ type: 'custom', hook: 'h' })] }),
    'token type: custom',
  ],
  [
    'named-once',
    'two inbound strategies with the same key',
    withConnector({
      inboundAuthStrategies: [anInboundStrategy(), anInboundStrategy({ handshakeKind: 'echo_header' })],
    }),
    'inbound handshakeKind: echo_header',
  ],
  [
    'named-once',
    'two taps with the same name',
    withConnector({ taps: [aTap(), aTap({ enabledByDefault: false })] }),
    'issues enabledByDefault: false',
  ],
  [
    'named-once',
    'two groupings with the same slug',
    aVendor({ groupings: [aGrouping(), aGrouping({ name: 'Second' })] }),
    'issues name: Second',
  ],
  [
    'named-once',
    'two nested groupings with the same slug',
    aVendor({ groupings: [aGrouping({ groupings: [aGrouping(), aGrouping({ name: 'Second' })] })] }),
    'issues name: Second',
  ],

  ['grouping-depth', 'a ninth level of groupings', aVendor({ groupings: [nested(9)] }), 'slug: level-9 '],
  [
    'leaf-offers-connector',
    'a grouping with a connector and groupings',
    aVendor({ groupings: [aGrouping({ slug: 'node', connector: 'main', groupings: [aGrouping()] })] }),
    'slug: node ',
  ],
  [
    'leaf-offers-connector',
    'a leaf without a connector',
    aVendor({ groupings: [aGrouping(), aGrouping({ slug: 'bare', connector: undefined })] }),
    'slug: bare ',
  ],
  [
    'leaf-offers-connector',
    'a leaf with an empty list of groupings and no connector',
    aVendor({ groupings: [aGrouping(), aGrouping({ slug: 'bare', connector: undefined, groupings: [] })] }),
    'slug: bare ',
  ],
  [
    'planned-strategies',
    'a leaf with a connector and the strategies of another',
    aVendor({ groupings: [aGrouping({ slug: 'both', strategiesOf: 'main' })] }),
    'slug: both ',
  ],
  [
    'connector-exists',
    'a planned leaf with the strategies of an undefined connector',
    aVendor({ groupings: [aGrouping(), { ...planned('later'), strategiesOf: 'none' }] }),
    'slug: later ',
  ],
  [
    'connector-exists',
    'a leaf with an undefined connector',
    aVendor({ groupings: [aGrouping(), aGrouping({ slug: 'other', connector: 'none' })] }),
    'slug: other ',
  ],
  [
    'connector-is-offered',
    'a connector that no grouping offers',
    aVendor({ connectors: [aConnector(), aConnector({ key: 'spare' })] }),
    'spare ',
  ],

  ['traversal-names-taps', 'an undefined root', traversed({ rootTaps: ['a', 'b', 'none'] }), 'none '],
  [
    'traversal-names-taps',
    'an undefined parent',
    traversed({ rootTaps: ['a'], edges: [edge('a', 'b'), edge('none', 'b')] }),
    'none to: b',
  ],
  [
    'traversal-names-taps',
    'an undefined child',
    traversed({ rootTaps: ['a'], edges: [edge('a', 'b'), edge('a', 'none')] }),
    'none parentKeyField',
  ],
  [
    'roots-have-no-parent',
    'a root with a parent',
    traversed({ rootTaps: ['a', 'b'], edges: [edge('a', 'b')] }),
    'b edges:',
  ],
  ['taps-are-reached', 'a tap outside the graph', traversed({ rootTaps: ['a'] }), 'b enabledByDefault'],
  [
    'taps-are-reached',
    'a tap that is its own parent',
    traversed({ rootTaps: ['a'], edges: [edge('b', 'b')] }),
    'b enabledByDefault',
  ],
  [
    'fanout-field-exists',
    'a fan-out over an undefined field',
    traversed({ rootTaps: ['a', 'b'], configFanouts: [{ configField: 'none', templateVariable: 'x' }] }),
    'none ',
  ],

  [
    'address-variable-declared',
    'an address with an undeclared variable',
    addressed({ host: '{site}.acme.test' }),
    'host: "{site}.acme.test"',
  ],
  [
    'address-variable-declared',
    'an address of a strategy with an undeclared variable',
    withStrategy({ addressingConfig: { host: 'acme.test', basePath: '/{org}' } }),
    'host: acme.test',
  ],
  [
    'address-variable-used',
    'a variable that the address does not use',
    addressed({ host: 'acme.test', variables: [{ name: 'site', source: 'constant' }] }),
    'site ',
  ],
  [
    'address-variable-asked-for',
    'a user_input variable without a config field',
    addressed({ host: '{site}.acme.test', variables: [{ name: 'site', source: 'user_input' }] }),
    'site ',
  ],
  [
    'address-variable-asked-for',
    'a user_input variable whose config field belongs to another strategy',
    withConnector({
      supportedAuthStrategies: [
        aStrategy({ key: 'other', configSchema: aConfigSchema({ token: { type: 'string', secret: true }, site: {} }) }),
        aStrategy({
          addressingConfig: { host: '{site}.acme.test', variables: [{ name: 'site', source: 'user_input' }] },
        }),
      ],
    }),
    'site ',
  ],
  [
    'address-variable-path',
    'an oauth_response variable without a path',
    addressed({ host: '{site}.acme.test', variables: [{ name: 'site', source: 'oauth_response' }] }),
    'site ',
  ],

  [
    'json-schema-is-valid',
    'a tap schema with a type that does not exist',
    withConnector({ taps: [aTap({ schema: { type: 'strng' } })] }),
    'type: strng',
  ],

  [
    'senders-are-verified',
    'a push tap without inbound strategies',
    withTap({ sync: { mode: 'push' }, transportOptions: [] }),
    'push ',
  ],
  [
    'tap-has-transport',
    'a push tap with a transport option',
    withConnector({ inboundAuthStrategies: [anInboundStrategy()], taps: [aTap({ sync: { mode: 'push' } })] }),
    '- apiType: rest ',
  ],
  ['tap-has-transport', 'a full tap without a transport option', withTap({ transportOptions: [] }), '[] '],
  [
    'tombstone-is-named',
    'tombstones without a column',
    withTap({ deletionSemantics: 'by_tombstone' }),
    'by_tombstone ',
  ],
  [
    'transport-is-configured',
    'GraphQL without its settings',
    transported({ apiType: 'graphql', restConfig: {} }),
    'apiType: graphql ',
  ],
  [
    'transport-is-configured',
    'REST without its settings',
    transported({ apiType: 'rest', graphqlConfig: {} }),
    'apiType: rest ',
  ],
  ['endpoint-variable-known', 'an unknown endpoint variable', read('/orgs/{org}/issues'), 'apiType: rest '],
  [
    'endpoint-variable-known',
    'an unknown endpoint variable, in GraphQL',
    transported({ apiType: 'graphql', graphqlConfig: { endpoint: '/{org}' } }),
    'apiType: graphql ',
  ],
  [
    'endpoint-variable-known',
    'an endpoint variable of another tap',
    traversed({ rootTaps: ['a'], edges: [{ ...edge('a', 'b'), templateVariable: 'org' }] }, '/orgs/{org}', '/b'),
    'apiType: rest restConfig: endpoint: /orgs',
  ],
  ...(['cursor', 'offset', 'page_number', 'session_page'] as const).map(
    (type): BrokenDefinition => [
      'pagination-is-configured',
      `pagination ${type} without its settings`,
      transported({ apiType: 'rest', restConfig: {}, pagination: { type } }),
      `type: ${type} `,
    ],
  ),
];

const GOOD: [what: string, definition: VendorDefinition][] = [
  ['only names', aVendor({ connectors: undefined, groupings: [] })],
  ['a planned leaf without a connector', aVendor({ groupings: [aGrouping(), planned('later')] })],
  [
    'a planned leaf with strategiesOf',
    aVendor({ groupings: [aGrouping(), { ...planned('later'), strategiesOf: 'main' }] }),
  ],
  ['eight levels of groupings', aVendor({ groupings: [nested(8)] })],
  ['the same slug under several parents', aVendor({ groupings: [nested(2, 'same'), nested(2, 'other')] })],
  ['the same connector at several leaves', aVendor({ groupings: [aGrouping(), aGrouping({ slug: 'again' })] })],
  [
    'the same tap name in several connectors',
    aVendor({
      connectors: [aConnector(), aConnector({ key: 'second' })],
      groupings: [aGrouping(), aGrouping({ slug: 'second', connector: 'second' })],
    }),
  ],
  [
    'a push tap outside the tap graph',
    withConnector({
      inboundAuthStrategies: [anInboundStrategy()],
      taps: [aTap(), aTap({ name: 'events', sync: { mode: 'push' }, transportOptions: [] })],
      traversal: { rootTaps: ['issues'] },
    }),
  ],
  ['a tap below a root and below itself', traversed({ rootTaps: ['a'], edges: [edge('a', 'b'), edge('b', 'b')] })],
  ['a query in double braces', read('/issues?filter={{user}}')],
  ['an endpoint with a field of the authentication config', read('/{token}')],
  ['an endpoint with a field of the ingestion config', read('/{org}', { ingestionConfigSchema: asks('org') })],
  [
    'an endpoint with a variable of the address',
    read('/{org}', {
      addressingConfig: { basePath: '/{org}', variables: [{ name: 'org', source: 'constant' }] },
    }),
  ],
  [
    'an endpoint with the item of a fan-out',
    read('/{repo}', {
      ingestionConfigSchema: asks('repos'),
      traversal: { rootTaps: ['issues'], configFanouts: [{ configField: 'repos', templateVariable: 'repo' }] },
    }),
  ],
  [
    'an endpoint with a field of the parent',
    traversed({ rootTaps: ['a'], edges: [{ ...edge('a', 'b'), parentKeyField: 'login' }] }, '/a', '/{login}'),
  ],
  [
    'an endpoint with a field copied from the parent',
    traversed(
      {
        rootTaps: ['a'],
        edges: [{ ...edge('a', 'b'), parentContextFields: [{ sourceField: 'login', targetField: 'org' }] }],
      },
      '/a',
      '/{org}',
    ),
  ],
  [
    'an endpoint with a field of the parent under another name',
    traversed({ rootTaps: ['a'], edges: [{ ...edge('a', 'b'), templateVariable: 'org' }] }, '/a', '/{org}'),
  ],
  [
    'an address with a field of the ingestion config of the strategy',
    withStrategy({
      ingestionConfigSchema: asks('site'),
      addressingConfig: { host: '{site}.acme.test', variables: [{ name: 'site', source: 'user_input' }] },
    }),
  ],
  [
    'an address with a value of the token response',
    addressed({
      host: '{site}.acme.test',
      variables: [{ name: 'site', source: 'oauth_response', oauthResponsePath: 'instance' }],
    }),
  ],
  ['a tombstone column', withTap({ deletionSemantics: 'by_tombstone', tombstoneMarkerColumn: 'deleted_at' })],
  [
    'pagination that needs no settings',
    transported({ apiType: 'rest', restConfig: {}, pagination: { type: 'link_header' } }),
  ],
  [
    'pagination with its settings',
    transported({
      apiType: 'rest',
      restConfig: {},
      pagination: { type: 'page_number', pageNumber: { pageParam: 'p' } },
    }),
  ],
];

describe('a definition', () => {
  it.each(BROKEN)('violates %s with %s', (rule, _, definition, at) => {
    expectFault(definition, rule, at);
  });

  it.each(GOOD)('may have %s', (_, definition) => {
    expect(definitionFaultsOf(yamlOf(definition))).toEqual([]);
  });

  it('has a test case for every rule', () => {
    const own = ['definition', 'address', 'schema', 'tap', 'traversal'].map((of) => `${of}-rules`);
    expect([...new Set(BROKEN.map(([rule]) => rule))].sort()).toEqual(rulesIn(own));
  });
});

function addressed(addressingConfig: AddressingConfig): VendorDefinition {
  return withConnector({ addressingConfig });
}

function withTap(overrides: Partial<TapDefinition>): VendorDefinition {
  return withConnector({ taps: [aTap(overrides)] });
}

function transported(option: TransportOption): VendorDefinition {
  return withTap({ transportOptions: [option] });
}

function read(endpoint: string, overrides: Partial<ConnectorDefinition> = {}): VendorDefinition {
  return withConnector({ taps: [aTap({ transportOptions: [option(endpoint)] })], ...overrides });
}

/** A connector with the taps a and b. */
function traversed(traversal: Traversal, a = '/a', b = '/b'): VendorDefinition {
  const taps = [aTap({ name: 'a', transportOptions: [option(a)] }), aTap({ name: 'b', transportOptions: [option(b)] })];
  return withConnector({ taps, traversal });
}

function option(endpoint: string): TransportOption {
  return { apiType: 'rest', restConfig: { endpoint } };
}

function edge(from: string, to: string): { from: string; to: string; parentKeyField: string } {
  return { from, to, parentKeyField: 'id' };
}

function asks(field: string): Record<string, unknown> {
  return { type: 'object', properties: { [field]: { type: 'string' } } };
}

function planned(slug: string): GroupingDefinition {
  return aGrouping({ slug, connector: undefined, releaseStage: 'planned' });
}

function nested(levels: number, slug = 'level-1', level = 1): GroupingDefinition {
  if (level === levels) return aGrouping({ slug: `level-${level}` });
  return aGrouping({ slug, groupings: [nested(levels, `level-${level + 1}`, level + 1)] });
}
