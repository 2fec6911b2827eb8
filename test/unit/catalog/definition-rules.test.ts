import type { GroupingDefinition } from '../../../src/catalog/definitions/definition.js';
import {
  aConnector,
  aGrouping,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
  type BrokenDefinition,
  withConnector,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

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
    'feed-names-a-tap',
    'a feed of an undefined tap',
    aVendor({ connectors: [aConnector({ taps: [aTap({ feeds: { tap: 'none' } })] })] }),
    'none ',
  ],
  [
    'connector-is-offered',
    'a connector that no grouping offers',
    aVendor({ connectors: [aConnector(), aConnector({ key: 'spare' })] }),
    'spare ',
  ],
];

const VALID: ValidDefinition[] = [
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
];

describeRules('a definition', ['definition-rules'], BROKEN, VALID);

function planned(slug: string): GroupingDefinition {
  return aGrouping({ slug, connector: undefined, releaseStage: 'planned' });
}

function nested(levels: number, slug = 'level-1', level = 1): GroupingDefinition {
  if (level === levels) return aGrouping({ slug: `level-${level}` });
  return aGrouping({ slug, groupings: [nested(levels, `level-${level + 1}`, level + 1)] });
}
