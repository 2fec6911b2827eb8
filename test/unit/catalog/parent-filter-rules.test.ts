import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { RestConfig } from '../../../src/catalog/model/transport-option.js';
import type { TraversalEdge } from '../../../src/catalog/model/traversal.js';
import { aTap, type BrokenDefinition, withConnector } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const EDGE: TraversalEdge = { from: 'users', to: 'logins', parentKeyField: 'id' };
const QUERY = { field: 'id', queryParam: 'ids' };
const BODY = { field: 'id', bodyPath: 'ids' };

const BROKEN: BrokenDefinition[] = [
  ['parent-filter-is-placed', 'no field', filtered({ parentDataFilterQueryInject: { queryParam: 'ids' } }), 'queryP'],
  ['parent-filter-is-placed', 'a body of a GET request', filtered({ parentDataFilterBodyInject: BODY }), 'field: id'],
  [
    'parent-filter-has-values',
    'a clause without a value',
    filtered({ parentDataFilterQueryInject: { ...QUERY, clauseTemplate: 'x' } }),
    'field: id',
  ],
  ['parent-filter-has-one-parent', 'no parent', filtered({ parentDataFilterQueryInject: QUERY }, []), 'field: id'],
  [
    'parent-filter-has-no-partition',
    'fields of the parent',
    filtered({ parentDataFilterQueryInject: QUERY }, [
      { ...EDGE, parentContextFields: [{ sourceField: 'id', targetField: 'userId' }] },
    ]),
    'field: id',
  ],
  [
    'parent-filter-is-known',
    'another operator',
    filtered({ parentDataFilterQueryInject: { ...QUERY, joinOperator: 'xor' } }),
    'field: id',
  ],
];

const VALID: ValidDefinition[] = [
  ['a filter in the query', filtered({ parentDataFilterQueryInject: { ...QUERY, normalize: 'lowercase' } })],
  ['a filter in a body', filtered({ method: 'post', parentDataFilterBodyInject: BODY })],
  [
    'fields of the parent with one value per request',
    filtered({ parentDataFilterQueryInject: { ...QUERY, chunkSize: 1 } }, [
      { ...EDGE, parentContextFields: [{ sourceField: 'id', targetField: 'userId' }] },
    ]),
  ],
];

describeRules('a tap with a filter for several parents', ['parent-filter-rules'], BROKEN, VALID);

function filtered(restConfig: RestConfig, edges: TraversalEdge[] = [EDGE]): VendorDefinition {
  const transportOptions = [{ apiType: 'rest' as const, restConfig: { endpoint: '/logins', ...restConfig } }];
  const rootTaps = edges.length > 0 ? ['users'] : ['users', 'logins'];
  return withConnector({
    taps: [aTap({ name: 'users' }), aTap({ name: 'logins', transportOptions })],
    traversal: { rootTaps, edges },
  });
}
