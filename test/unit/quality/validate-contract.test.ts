import { describe, expect, it } from 'vitest';
import { GATE_BY_CHECK, QualityCheck } from '../../../src/quality/contracts/quality-check.js';
import { RULE_REQUIREMENTS, type RuleSetting } from '../../../src/quality/contracts/rule-requirements.js';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import { type ContractTerms, validateContract } from '../../../src/quality/contracts/validate-contract.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';

const TABLE: TableSchema = {
  fields: [
    { name: 'id', type: 'Integer' },
    { name: 'name', type: 'String' },
    { name: 'price', type: 'Decimal', scale: 2 },
    { name: 'ratio', type: 'Double' },
    { name: 'day', type: 'Date' },
    { name: 'at', type: 'DateTime' },
    { name: 'moment', type: 'DateTimeOffset' },
    { name: 'clock', type: 'Time' },
    { name: 'extra', type: 'JSON' },
    { name: 'key', type: 'UUID' },
    { name: 'active', type: 'Boolean' },
  ],
};

const TERMS: ContractTerms = {
  ...{ scope: 'tap', schema: { fields: [{ name: 'to_come', type: 'Integer' }] }, allowsNewColumns: true },
  ...{ primaryKey: ['id'], sensitiveColumns: [], series: [], rules: [], windowSize: 30, minHistoryForViolation: 14 },
  ...{ sigmaMethod: 'sample_stddev', extraSpcRules: [], runScope: 'landing' },
};

function faultOf(terms: Partial<ContractTerms>): string | undefined {
  try {
    return void validateContract({ ...TERMS, ...terms }, TABLE);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    if (code !== 'BAD_REQUEST') throw error;
    return message;
  }
}
const faultOfRule = (rule: object, terms: Partial<ContractTerms> = {}) =>
  faultOf({ rules: [{ type: 'schema_columns' }, rule as ContractRule], ...terms });

const COLUMNS: Partial<Record<QualityCheck, string>> = {
  ...{ null_rate: 'extra', accepted_values: 'active', distinct_drop: 'key', range: 'price', pattern: 'name' },
  ...{ cursor_monotonic: 'moment', future_timestamp: 'at' },
};
const SETTINGS: Record<RuleSetting, unknown> = {
  ...{ maxRate: 0.5, minimum: 1, maximum: 2, maxSeconds: 60, values: ['a'], pattern: 'a+' },
};
const CHECKS = Object.keys(QualityCheck) as QualityCheck[];

function aRule(type: QualityCheck): ContractRule {
  const { must = [], oneOf = [] } = RULE_REQUIREMENTS[type];
  const settings = [...must, ...oneOf].map((setting) => [setting, SETTINGS[setting]]);
  const column = COLUMNS[type];
  return { type, ...(column && { column }), ...Object.fromEntries(settings) };
}

describe.each(CHECKS)('a rule of %s', (type) => {
  const { must = [], may = [], column } = RULE_REQUIREMENTS[type];

  it('is accepted with its required settings, and with all optional settings', () => {
    const all = Object.fromEntries([...must, ...may].map((setting) => [setting, SETTINGS[setting]]));
    expect([faultOfRule(aRule(type)), faultOfRule({ ...aRule(type), ...all })]).toEqual([
      ...(type === 'schema_columns'
        ? Array(2).fill('rules[1]: has the same type and column as rules[0].')
        : [undefined, undefined]),
    ]);
  });

  it('is rejected with any other setting', () => {
    for (const setting of Object.keys(SETTINGS) as RuleSetting[]) {
      if (must.includes(setting) || may.includes(setting)) continue;
      const fault = faultOfRule({ ...aRule(type), [setting]: SETTINGS[setting] });
      expect(fault).toBe(`rules[1].${setting}: is not allowed for ${type}.`);
    }
  });

  it('is rejected without a required setting', () => {
    for (const setting of must)
      expect(faultOfRule({ ...aRule(type), [setting]: undefined })).toBe(
        `rules[1].${setting}: is required for ${type}.`,
      );
    if (column)
      expect(faultOfRule({ ...aRule(type), column: undefined })).toBe(`rules[1].column: is required for ${type}.`);
    else expect(faultOfRule({ ...aRule(type), column: 'id' })).toBe(`rules[1].column: is not allowed for ${type}.`);
  });

  it('is allowed in the scope data unless it checks rows before they are loaded', () => {
    const fault = faultOf({ rules: [aRule(type)], scope: 'data' });
    if (GATE_BY_CHECK[type] === 'GATE_1') expect(fault).toMatch(`rules[0].type: ${type} requires the scope "tap"`);
    else expect(fault).toBeUndefined();
  });

  it('is accepted only for columns of supported types', () => {
    if (!column) return;
    const fitting = TABLE.fields.filter((field) => column === 'any' || column.includes(field.type));
    const passing = TABLE.fields.filter(({ name }) => faultOfRule({ ...aRule(type), column: name }) === undefined);
    expect(passing).toEqual(fitting);
  });
});

describe('a contract is rejected, with the path of the field,', () => {
  const EXACT = { allowsNewColumns: false };
  const LATER: TableSchema = {
    fields: Array.from({ length: 31 }, (_, at) => ({ name: `later_${at}`, type: 'String' as const })),
  };
  const manySeries = (count: number) =>
    LATER.fields.slice(0, count).map(({ name: column }) => ({ kind: 'COLUMN_NULL_RATE' as const, column }));
  const name = (length: number) => 'é'.repeat(length);
  it.each<[string, Partial<ContractTerms>, string | undefined]>([
    ['for a primary key of unknown columns', { primaryKey: ['id', 'nothing'] }, 'primaryKey[1]: is not a column'],
    [
      'for a repeated key column',
      { primaryKey: ['id', 'name', 'id'] },
      'primaryKey[2]: has the same value as primaryKey',
    ],
    ['for unknown sensitive columns', { sensitiveColumns: ['Name'] }, 'sensitiveColumns[0]: is not a column'],
    [
      'for a timestampColumn that is not a time',
      { timestampColumn: 'clock' },
      'timestampColumn: must have the type Date',
    ],
    ['for an unknown timestampColumn', { timestampColumn: 'x' }, 'timestampColumn: is not a column'],
    [
      'for a column series without a column',
      { series: [{ kind: 'COLUMN_MEAN' }] },
      'series[0].column: is required for COLUMN_MEAN',
    ],
    [
      'for a table series with a column',
      { series: [{ kind: 'TABLE_BYTES', column: 'id' }] },
      'series[0].column: is not allowed for TABLE_BYTES',
    ],
    [
      'for the mean of a text column',
      { series: [{ kind: 'COLUMN_MEAN', column: 'name' }] },
      'series[0].column: must have the type',
    ],
    [
      'for a repeated series',
      { series: [{ kind: 'TABLE_BYTES' }, { kind: 'COLUMN_MEAN', column: 'id' }, { kind: 'TABLE_BYTES' }] },
      'series[2]: has the same kind and column as series[0]',
    ],
    [
      'for a repeated rule',
      {
        rules: [
          { type: 'null_rate', column: 'id' },
          { type: 'null_rate', column: 'id', maxRate: 1 },
        ],
      },
      'rules[1]: has the same type and column as rules[0]',
    ],
    [
      'for a key check without a key',
      { primaryKey: [], rules: [{ type: 'primary_key_null' }] },
      'rules[0].type: primary',
    ],
    [
      'for an unknown column of a rule',
      { rules: [{ type: 'null_rate', column: 'x' }] },
      'rules[0].column: is not a column',
    ],
    ['for a rate above 1', { rules: [{ type: 'parse_failures', maxRate: 1.1 }] }, 'rules[0].maxRate: must be 1 or'],
    [
      'for a rate below 0',
      { rules: [{ type: 'row_count_delta', maxRate: -1 }] },
      'rules[0].maxRate: must be 0 or more',
    ],
    ['for a change above 100', { rules: [{ type: 'row_count_delta', maxRate: 101 }] }, 'rules[0].maxRate: must be 100'],
    [
      'for a range with minimum above maximum',
      { rules: [{ ...aRule('range'), minimum: 3 }] },
      'rules[0].minimum: must not exceed maximum',
    ],
    [
      'for a range without bounds',
      { rules: [{ type: 'range', column: 'id' }] },
      'rules[0]: range requires minimum or maximum',
    ],
    [
      'for a negative number of rows',
      { rules: [{ type: 'row_count_min', minimum: -1 }] },
      'rules[0].minimum: must be 0 or more',
    ],
    [
      'for a maxSeconds of 0',
      { rules: [{ type: 'freshness', maxSeconds: 0 }] },
      'rules[0].maxSeconds: must be 1 or more',
    ],
    [
      'for an empty list of values',
      { rules: [{ ...aRule('accepted_values'), values: [] }] },
      'rules[0].values: must have 1 or more items',
    ],
    [
      'for too many values',
      { rules: [{ ...aRule('accepted_values'), values: Array(1_001).fill('a') }] },
      'rules[0].values: must have 1000 or fewer items',
    ],
    [
      'for a value that is too long',
      { rules: [{ ...aRule('accepted_values'), values: [name(257)] }] },
      'rules[0].values: must have',
    ],
    [
      'not for a value of the maximum length',
      { rules: [{ ...aRule('accepted_values'), values: [name(256)] }] },
      undefined,
    ],
    [
      'for a pattern that is too long',
      { rules: [{ ...aRule('pattern'), pattern: name(501) }] },
      'rules[0].pattern: must have 500',
    ],
    [
      'for a minimum history above the window size',
      { windowSize: 10, minHistoryForViolation: 11 },
      'minHistoryForViolation: must not exceed windowSize (10)',
    ],
    [
      'for an extra rule that is not optional',
      { extraSpcRules: ['WECO_4', 'NELSON_1'] },
      'extraSpcRules[1]: must be one of',
    ],
    ['for a repeated extra rule', { extraSpcRules: ['WECO_4', 'WECO_4'] }, 'extraSpcRules[1]: has the same value as'],
    [
      'for a runScope of a data contract',
      { scope: 'data', runScope: 'batch' },
      'runScope: must be "landing" for a contract with the scope "data"',
    ],
    [
      'for an unknown type',
      { schema: { fields: [{ name: 'a', type: 'Number' as never }] } },
      'schema.fields[0].type: must be',
    ],
    [
      'for the scale of a String',
      { schema: { fields: [{ name: 'a', type: 'String', scale: 1 }] } },
      'schema.fields[0].scale: is',
    ],
    [
      'for an empty schema without new columns',
      { ...EXACT, schema: { fields: [] } },
      'schema.fields: must name all columns of',
    ],
    [
      'for a disallowed column of the table',
      { ...EXACT, schema: { fields: TABLE.fields.slice(1) } },
      'schema.fields: must',
    ],
    [
      'not for additional columns in the schema',
      { ...EXACT, schema: { fields: [...TABLE.fields, ...TERMS.schema.fields] } },
      undefined,
    ],
    [
      'for too many points of history',
      { windowSize: 200, series: manySeries(31), schema: LATER },
      'series: must have at most 30 items if',
    ],
    ['not for the maximum number of points', { windowSize: 200, series: manySeries(30), schema: LATER }, undefined],
    [
      'for names that differ only by case',
      {
        schema: {
          fields: [
            { name: 'a', type: 'String' },
            { name: 'A', type: 'String' },
          ],
        },
      },
      'schema.fields[1]: has the same name (case-insensitive) as schema.fields[0]',
    ],
    [
      'not for a required column that the table lacks',
      { rules: [{ ...aRule('range'), column: 'to_come' }] },
      undefined,
    ],
  ])('%s', (_, terms, fault) => {
    if (fault === undefined) expect(faultOf(terms)).toBeUndefined();
    else expect(faultOf(terms)?.slice(0, fault.length)).toBe(fault);
  });
});
