import type { InboundStrategyDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import {
  aConfigSchema,
  anInboundStrategy,
  aTap,
  type BrokenDefinition,
  withConnector,
  withStrategy,
} from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const TOKEN = { type: 'string', secret: true };
const NESTED = { type: 'object', properties: { key: TOKEN } };

const BROKEN: BrokenDefinition[] = [
  ['secret-is-sealed', 'a secret that is a number', configured({ type: 'integer', secret: true }), 'true '],
  ['secret-is-sealed', 'a secret without a type', configured({ secret: true }), 'true '],
  ['secret-is-sealed', 'a secret that may be null', configured({ type: ['string', 'null'], secret: true }), 'true '],
  ['secret-is-sealed', 'secret: in quotes', configured({ type: 'string', secret: 'true' }), '"true" '],
  ['secret-is-sealed', 'a secret nested in a field', configured(NESTED), 'true '],
  ['secret-is-sealed', 'a secret in a list', configured({ type: 'array', items: TOKEN }), 'true '],
  [
    'secret-is-sealed',
    'a secret in one alternative of a field',
    configured({ anyOf: [{ type: 'null' }, TOKEN] }),
    'true ',
  ],
  [
    'secret-is-sealed',
    'a secret in the ingestion config',
    withConnector({ ingestionConfigSchema: aConfigSchema({ site: TOKEN }) }),
    'true',
  ],
  [
    'secret-is-sealed',
    'a secret in the ingestion config of a strategy',
    withStrategy({ ingestionConfigSchema: aConfigSchema({ site: TOKEN }) }),
    'true',
  ],
  [
    'secret-is-sealed',
    'a secret in the schema of a tap',
    withConnector({ taps: [aTap({ schema: aConfigSchema({ site: TOKEN }) })] }),
    'true ',
  ],
  ['secret-is-sealed', 'a secret number in an inbound strategy', sent({ type: 'integer', secret: true }), 'true '],
];

const VALID: ValidDefinition[] = [
  ['a secret in an inbound strategy', sent(TOKEN)],
  ['a field marked secret: false', configured({ type: 'integer', secret: false })],
  ['a field named secret', withConnector({ ingestionConfigSchema: aConfigSchema({ secret: { type: 'string' } }) })],
  [
    'data that looks like a secret',
    withConnector({ ingestionConfigSchema: aConfigSchema({ site: { default: { secret: true } } }) }),
  ],
];

describeRules('secrets in a definition', ['secret-rules'], BROKEN, VALID);

function configured(field: object): VendorDefinition {
  return withStrategy({ configSchema: aConfigSchema({ token: TOKEN, field }) });
}

function sent(field: object): VendorDefinition {
  const strategy: Partial<InboundStrategyDefinition> = { configSchema: aConfigSchema({ field }) };
  return withConnector({ inboundAuthStrategies: [anInboundStrategy(strategy)] });
}
