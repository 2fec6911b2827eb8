import type { TapDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { FieldDiscovery } from '../../../src/catalog/model/field-discovery.js';
import type { ResponseExtraction } from '../../../src/catalog/model/response-extraction.js';
import { aTap, type BrokenDefinition, withConnector } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const SPLIT = { wildcardToken: '$ALL', maxFieldsLength: 100 };
const PARTS = { primaryKey: 'id', recordParts: { completePath: 'done' } };
const RESETS = [{ statusCode: 400, action: 'reset_paging' as const }];

const LIST = { apiType: 'rest' as const, restConfig: { endpoint: '/items' } };
const BOOTSTRAP = { mode: 'incremental' as const, bootstrapTap: 'users' };

const BROKEN: BrokenDefinition[] = [
  ['fields-have-a-length', 'a length without a token', discovered({ maxFieldsLength: 100 }), '100 '],
  ['fields-have-a-length', 'an empty list', discovered({ ...SPLIT, maxFieldsLength: 0 }), '0 '],
  ['split-fields-merge', 'split fields without a key', discovered(SPLIT, reading({})), 'issues '],
  ['split-fields-merge', 'split fields and parts', discovered(SPLIT, reading(PARTS)), 'issues '],
  [
    'split-fields-merge',
    'split fields and a reset',
    discovered(SPLIT, reading({ primaryKey: 'id' }, { errorBodyRules: RESETS })),
    'issues ',
  ],
  ['objects-have-a-tap', 'objects without a tap', objects({ transportOptions: [LIST] }, { tap: 'none' }), 'none '],
  ['objects-have-a-tap', 'requests without the object', objects({ transportOptions: [LIST] }), 'issues '],
  ['objects-have-a-tap', 'a tap with an object', objects({ objectName: 'Account' }), 'issues '],
  ['objects-are-roots', 'objects with a bootstrap', objects({ sync: BOOTSTRAP }), 'issues '],
  ['objects-name-their-field', 'objects with another field', objects({}, {}, { objectNameField: 'name' }), 'issues '],
  ['objects-are-listed', 'an invalid list', objects({}, { listPath: 'a[' }), 'a['],
];

const VALID: ValidDefinition[] = [
  ['objects', objects({})],
  ['split fields', discovered(SPLIT, reading({ primaryKey: 'id' }))],
  ['parts in a tap without the token', discovered(SPLIT, { responseExtraction: PARTS })],
];

describeRules('a connector that discovers fields', ['field-discovery-rules'], BROKEN, VALID);

function discovered(fieldDiscovery: FieldDiscovery, tap: Partial<TapDefinition> = {}): VendorDefinition {
  return withConnector({ fieldDiscovery, taps: [aTap(tap)] });
}

function reading(responseExtraction: ResponseExtraction, option = {}): Partial<TapDefinition> {
  const restConfig = { endpoint: '/items', queryParams: { fields: '$ALL' } };
  return { responseExtraction, transportOptions: [{ apiType: 'rest', restConfig, ...option }] };
}

function objects(tap: Partial<TapDefinition>, own = {}, more: FieldDiscovery = {}): VendorDefinition {
  const option = { apiType: 'rest' as const, restConfig: { endpoint: '/objects/{objectName}' } };
  const fieldDiscovery = { ...more, objects: { tap: 'issues', endpoint: '/objects', listPath: 'objects', ...own } };
  const taps = [aTap({ transportOptions: [option], ...tap }), aTap({ name: 'users' })];
  return withConnector({ fieldDiscovery, taps });
}
