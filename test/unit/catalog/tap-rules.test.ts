import type { TapDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { TransportOption } from '../../../src/catalog/model/transport-option.js';
import type { Traversal } from '../../../src/catalog/model/traversal.js';
import {
  anInboundStrategy,
  aTap,
  type BrokenDefinition,
  withConnector,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const BROKEN: BrokenDefinition[] = [
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
    'fanout-has-values',
    'a fan-out without values',
    traversed({ rootTaps: ['a', 'b'], staticFanouts: [{ templateVariable: 'x', values: [] }] }),
    '[]',
  ],
  [
    'operator-exists',
    'a condition with an unknown operator',
    traversed({
      rootTaps: ['a'],
      edges: [{ ...edge('a', 'b'), parentEligibility: [{ field: 'id', operator: 'like' }] }],
    }),
    'like ',
  ],
  [
    'change-field-has-a-cursor',
    'a field of changes for a tap that is read in full',
    traversed({ rootTaps: ['a'], edges: [{ ...edge('a', 'b'), parentChangeField: 'updated_at' }] }),
    'updated_at',
  ],
  [
    'change-field-has-one-parent',
    'a field of changes for a tap with combined parents',
    withConnector({
      taps: [aTap({ name: 'a' }), aTap({ name: 'b', sync: { mode: 'incremental' } })],
      traversal: {
        rootTaps: ['a'],
        edges: [
          { ...edge('a', 'b'), parentChangeField: 'updated_at' },
          { ...edge('a', 'b'), templateVariable: 'other' },
        ],
      },
    }),
    'updated_at',
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
  [
    'table-mode-is-possible',
    'a history without a primary key',
    withTap({ responseExtraction: {}, sync: { mode: 'full', tableMode: 'history' } }),
    'history transportO',
  ],
  ['tap-has-transport', 'a full tap without a transport option', withTap({ transportOptions: [] }), '[] '],
  [
    'tombstone-is-named',
    'tombstones without a column',
    withTap({ deletionSemantics: 'by_tombstone' }),
    'by_tombstone ',
  ],
  ['tombstone-is-named', 'values of no column', withTap({ tombstoneValues: ['deleted'] }), '- deleted '],
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
  ...(['cursor', 'offset', 'page_number', 'session_page'] as const).map(
    (type): BrokenDefinition => [
      'pagination-is-configured',
      `pagination ${type} without its settings`,
      transported({ apiType: 'rest', restConfig: {}, pagination: { type } }),
      `type: ${type} `,
    ],
  ),
];

const VALID: ValidDefinition[] = [
  [
    'a push tap outside the tap graph',
    withConnector({
      inboundAuthStrategies: [anInboundStrategy()],
      taps: [aTap(), aTap({ name: 'events', sync: { mode: 'push' }, transportOptions: [] })],
      traversal: { rootTaps: ['issues'] },
    }),
  ],
  ['a tap below a root and below itself', traversed({ rootTaps: ['a'], edges: [edge('a', 'b'), edge('b', 'b')] })],
  ['a tombstone column', withTap({ deletionSemantics: 'by_tombstone', tombstoneMarkerColumn: 'deleted_at' })],
  ['tombstone values', withTap({ tombstoneMarkerColumn: 'type', tombstoneValues: ['deleted'] })],
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

describeRules('the taps of a definition', ['schema-rules', 'tap-rules', 'traversal-rules'], BROKEN, VALID);

function withTap(overrides: Partial<TapDefinition>): VendorDefinition {
  return withConnector({ taps: [aTap(overrides)] });
}

function transported(option: TransportOption): VendorDefinition {
  return withTap({ transportOptions: [option] });
}

function traversed(traversal: Traversal): VendorDefinition {
  const taps = [aTap({ name: 'a' }), aTap({ name: 'b' })];
  return withConnector({ taps, traversal });
}

function edge(from: string, to: string): { from: string; to: string; parentKeyField: string } {
  return { from, to, parentKeyField: 'id' };
}
