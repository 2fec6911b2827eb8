import type { TapDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { RestBatch } from '../../../src/catalog/model/transport-option.js';
import { aTap, type BrokenDefinition, withConnector } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const ENDPOINT = '/$batch';

const BROKEN: BrokenDefinition[] = [
  ['batch-is-known', 'another format', batched({ endpoint: ENDPOINT, format: 'mime' }), 'endpoint'],
  ['batch-is-known', 'no endpoint', batched({ maxSubRequests: 3 }), 'maxSub'],
  ['batch-is-known', 'no requests', batched({ endpoint: ENDPOINT, maxSubRequests: 0 }), 'endpoint'],
  [
    'batch-has-plain-requests',
    'impersonation',
    batched({ endpoint: ENDPOINT }, { perParentAuth: { impersonateField: 'email' } }),
    'endpoint',
  ],
];

const VALID: ValidDefinition[] = [
  ['a batch', batched({ endpoint: ENDPOINT })],
  ['a composite request', batched({ endpoint: '/composite', format: 'salesforce_composite', maxSubRequests: 25 })],
];

describeRules('a tap with batches', ['batch-rules'], BROKEN, VALID);

function batched(batch: RestBatch, tap: Partial<TapDefinition> = {}): VendorDefinition {
  const transportOptions = [{ apiType: 'rest' as const, restConfig: { endpoint: '/items', batch } }];
  return withConnector({ taps: [aTap({ transportOptions, ...tap })] });
}
