import { describe, expect, it } from 'vitest';
import { sourceWarnings } from '../../../src/catalog/definitions/source-warnings.js';
import {
  aConnector,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
  type BrokenDefinition,
  definitionFaultsOf,
  withConnector,
  withStrategy,
  yamlOf,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const checkedAt = '2026-01-31';
const FILE = { repository: 'acme/openapi', path: 'v1.yaml', checkedAt };

const BROKEN: BrokenDefinition[] = [
  [
    'source-is-one-place',
    'a source without a document and a repository',
    withStrategy({ sources: [{ checkedAt }] }),
    'checkedAt',
  ],
  [
    'source-is-one-place',
    'a document in a repository',
    withConnector({ sources: [{ document: 'Guide', repository: 'acme/docs', checkedAt }] }),
    'document',
  ],
  [
    'source-is-one-place',
    'a document with a path',
    withConnector({ taps: [aTap({ sources: [{ document: 'Guide', path: 'v1.yaml', checkedAt }] })] }),
    'document',
  ],
  [
    'unverified-names-a-setting',
    'a setting that the strategy does not have',
    withStrategy({ unverified: ['verification.failures'] }),
    'verification.failures',
  ],
  [
    'unverified-names-a-setting',
    'a setting of a text',
    withConnector({ inboundAuthStrategies: [anInboundStrategy({ unverified: ['label.length'], label: 'Hook' })] }),
    'label.length',
  ],
];

const VALID: ValidDefinition[] = [
  [
    'sources and unverified settings',
    withConnector({
      sources: [{ repository: 'acme/openapi', checkedAt }],
      rateLimits: { requestsPerSecond: 1 },
      unverified: ['rateLimits.requestsPerSecond'],
      supportedAuthStrategies: [aStrategy({ sources: [{ document: 'Guide', checkedAt }], unverified: ['type'] })],
      taps: [aTap({ sources: [FILE], unverified: ['schema', 'sync.mode'] })],
    }),
  ],
];

describeRules('the sources of a definition', ['source-rules'], BROKEN, VALID);

describe('the date of a source', () => {
  it.each(['2026-02-30', '31.01.2026', '2026-01-31T10:00:00Z', ''])('is a calendar date: %s is invalid', (date) => {
    const faults = definitionFaultsOf(yamlOf(withStrategy({ sources: [{ document: 'Guide', checkedAt: date }] })));
    expect(faults).toEqual([expect.stringContaining('schema/format')]);
  });
});

describe('the warnings of a definition', () => {
  const today = new Date('2027-03-15T23:59:59Z');
  const checked = (date: string) => ({ sources: [{ document: 'Guide', checkedAt: date }] });

  it('name the strategies and taps without a source', () => {
    const vendor = aVendor({
      connectors: [
        aConnector({
          inboundAuthStrategies: [anInboundStrategy()],
          taps: [aTap(), aTap({ name: 'users', ...checked('2027-01-01') }), aTap({ name: 'teams', sources: [] })],
        }),
      ],
    });
    expect(sourceWarnings(vendor, today)).toEqual([
      'acme.yaml: no sources: main/token, main/inbound, main/issues, main/teams',
    ]);
  });

  it('name the sources that were checked more than a year ago, or will be checked in the future', () => {
    const vendor = aVendor({
      connectors: [
        aConnector({
          ...checked('2020-01-01'),
          supportedAuthStrategies: [aStrategy(checked('2026-03-14'))],
          taps: [
            aTap(checked('2026-03-15')),
            aTap({ name: 'users', ...checked('2027-03-15') }),
            aTap({ name: 'teams', ...checked('2027-03-16') }),
          ],
        }),
      ],
    });
    expect(sourceWarnings(vendor, today)).toEqual([
      'acme.yaml: sources last checked more than a year ago: main (2020-01-01), main/token (2026-03-14)',
      'acme.yaml: sources with a future checkedAt: main/teams (2027-03-16)',
    ]);
  });
});
