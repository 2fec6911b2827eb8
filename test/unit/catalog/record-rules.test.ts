import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type {
  CsvDialect,
  RecordTransform,
  ResponseExtraction,
} from '../../../src/catalog/model/response-extraction.js';
import type { ErrorBodyRule } from '../../../src/catalog/model/transport-option.js';
import { aTap, type BrokenDefinition, withConnector } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const BROKEN: BrokenDefinition[] = [
  ['transform-has-one-step', 'two changes in one', changed({ remove: ['a'], set: { b: 'c' } }), 'remove: - a'],
  ['transform-is-text', 'a number as a name', changed({ rename: { a: 1 } }), '1 '],
  ['dialect-is-of-csv', 'a dialect of JSON', csv({ delimiter: ';' }, 'json'), 'delimiter: '],
  ['dialect-has-characters', 'two characters', csv({ delimiter: '||' }), '"||"'],
  ['dialect-has-characters', 'an empty delimiter', csv({ delimiter: '' }), '""'],
  ['dialect-skips-lines', 'a negative number of lines', csv({ skipLines: -1 }), '-1'],
  ['parts-have-a-key', 'parts without a key', parts({}), 'completePath'],
  ['error-rule-matches', 'a rule for every response', ruled({ action: 'retry' }), 'action: retry'],
  ['error-values-have-a-path', 'values without a path', ruled({ action: 'skip', values: ['a'] }), 'action: skip'],
  ['error-rule-acts', 'a message without an action', ruled({ statusCode: 400, message: 'No.' }), 'statusCode: 400 '],
];

const VALID: ValidDefinition[] = [
  ['parts of records', parts({ primaryKey: 'id' })],
  ['one change each', changed({ set: { a: 'b' } }, { flatten: { field: 'c', prefix: '' } }, { rename: { d: 'e' } })],
  ['a dialect', csv({ delimiter: '\t', quote: '', columns: ['a'], skipLines: 2 })],
  ['a rule with an action', ruled({ jmesPath: 'error', values: ['a'], action: 'wait', message: 'Wait.' })],
  ['a rule for a status', ruled({ statusCode: 409, action: 'reset_paging' })],
];

describeRules('the records of a tap', ['record-rules'], BROKEN, VALID);

function changed(...transform: RecordTransform[]): VendorDefinition {
  return withConnector({ taps: [aTap({ responseExtraction: { transform } })] });
}

function parts(responseExtraction: ResponseExtraction): VendorDefinition {
  const recordParts = { completePath: 'batchcomplete' };
  return withConnector({ taps: [aTap({ responseExtraction: { recordParts, ...responseExtraction } })] });
}

function csv(dialect: CsvDialect, responseFormat: 'csv' | 'json' = 'csv'): VendorDefinition {
  return withConnector({ taps: [aTap({ responseExtraction: { responseFormat, csv: dialect } })] });
}

function ruled(rule: ErrorBodyRule): VendorDefinition {
  const option = { apiType: 'rest' as const, restConfig: {}, errorBodyRules: [rule] };
  return withConnector({ taps: [aTap({ transportOptions: [option] })] });
}
