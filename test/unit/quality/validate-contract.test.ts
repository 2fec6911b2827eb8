import { describe, expect, it } from 'vitest';
import { GATE_BY_CHECK, QualityCheck } from '../../../src/quality/contracts/quality-check.js';
import {
  NUMERIC_TYPES,
  RULE_REQUIREMENTS,
  type RuleSetting,
  TEMPORAL_TYPES,
} from '../../../src/quality/contracts/rule-requirements.js';
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

/** What is said of a contract; undefined where nothing is. */
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

/** A rule with all that its check needs. */
function aRule(type: QualityCheck): ContractRule {
  const { must = [], oneOf = [] } = RULE_REQUIREMENTS[type];
  const settings = [...must, ...oneOf].map((setting) => [setting, SETTINGS[setting]]);
  const column = COLUMNS[type];
  return { type, ...(column && { column }), ...Object.fromEntries(settings) };
}

describe.each(CHECKS)('a rule of %s', (type) => {
  const { must = [], may = [], column } = RULE_REQUIREMENTS[type];

  it('passes with what it needs, and with all that it may have', () => {
    const all = Object.fromEntries([...must, ...may].map((setting) => [setting, SETTINGS[setting]]));
    expect([faultOfRule(aRule(type)), faultOfRule({ ...aRule(type), ...all })]).toEqual([
      ...(type === 'schema_columns' ? Array(2).fill('rules[1]: is the same as rules[0].') : [undefined, undefined]),
    ]);
  });

  it('is refused with anything else', () => {
    for (const setting of Object.keys(SETTINGS) as RuleSetting[]) {
      if (must.includes(setting) || may.includes(setting)) continue;
      const fault = faultOfRule({ ...aRule(type), [setting]: SETTINGS[setting] });
      expect(fault).toBe(`rules[1].${setting}: ${type} does not take it.`);
    }
  });

  it('is refused without what it needs', () => {
    for (const setting of must)
      expect(faultOfRule({ ...aRule(type), [setting]: undefined })).toBe(`rules[1].${setting}: ${type} needs it.`);
    if (column) expect(faultOfRule({ ...aRule(type), column: undefined })).toBe(`rules[1].column: ${type} needs it.`);
    else expect(faultOfRule({ ...aRule(type), column: 'id' })).toBe(`rules[1].column: ${type} is about no column.`);
  });

  it('is for the scope data where it does not judge rows before they come in', () => {
    const fault = faultOf({ rules: [aRule(type)], scope: 'data' });
    if (GATE_BY_CHECK[type] === 'GATE_1')
      expect(fault).toMatch(`rules[0].type: ${type} judges rows before they come in`);
    else expect(fault).toBeUndefined();
  });

  it('is about a column of a type that it is made for', () => {
    if (!column) return;
    const fitting = TABLE.fields.filter((field) => column === 'any' || column.includes(field.type));
    const passing = TABLE.fields.filter(({ name }) => faultOfRule({ ...aRule(type), column: name }) === undefined);
    expect(passing).toEqual(fitting);
  });
});

describe('which types a check is made for', () => {
  it.each([
    ['range', NUMERIC_TYPES],
    ['pattern', ['String']],
    ['cursor_monotonic', [...NUMERIC_TYPES, ...TEMPORAL_TYPES]],
    ['future_timestamp', ['Date', 'DateTime', 'DateTimeOffset']],
  ] as const)('%s: %j', (type, types) => {
    expect(RULE_REQUIREMENTS[type].column).toEqual(types);
  });
});

describe('a contract is refused, with the place,', () => {
  const EXACT = { allowsNewColumns: false };
  const LATER: TableSchema = {
    fields: Array.from({ length: 31 }, (_, at) => ({ name: `later_${at}`, type: 'String' as const })),
  };
  const manySeries = (count: number) =>
    LATER.fields.slice(0, count).map(({ name: column }) => ({ kind: 'COLUMN_NULL_RATE' as const, column }));
  const name = (length: number) => 'é'.repeat(length);
  it.each<[string, Partial<ContractTerms>, string | undefined]>([
    ['over a primary key of unknown columns', { primaryKey: ['id', 'nothing'] }, 'primaryKey[1]: is no column'],
    [
      'over a column of the key twice',
      { primaryKey: ['id', 'name', 'id'] },
      'primaryKey[2]: is the same as primaryKey',
    ],
    ['over unknown sensitive columns', { sensitiveColumns: ['Name'] }, 'sensitiveColumns[0]: is no column'],
    [
      'over a timestampColumn that is no time',
      { timestampColumn: 'clock' },
      'timestampColumn: must be of the type Date',
    ],
    ['over an unknown timestampColumn', { timestampColumn: 'x' }, 'timestampColumn: is no column'],
    [
      'over a series without its column',
      { series: [{ kind: 'COLUMN_MEAN' }] },
      'series[0].column: COLUMN_MEAN needs it',
    ],
    [
      'over a series with a column',
      { series: [{ kind: 'TABLE_BYTES', column: 'id' }] },
      'series[0].column: TABLE_BYTES is',
    ],
    [
      'over the mean of a text',
      { series: [{ kind: 'COLUMN_MEAN', column: 'name' }] },
      'series[0].column: must be of the',
    ],
    [
      'over a series twice',
      { series: [{ kind: 'TABLE_BYTES' }, { kind: 'COLUMN_MEAN', column: 'id' }, { kind: 'TABLE_BYTES' }] },
      'series[2]: is the same as series[0]',
    ],
    [
      'over a rule twice',
      {
        rules: [
          { type: 'null_rate', column: 'id' },
          { type: 'null_rate', column: 'id', maxRate: 1 },
        ],
      },
      'rules[1]: is the same as rules[0]',
    ],
    [
      'over a key check without a key',
      { primaryKey: [], rules: [{ type: 'primary_key_null' }] },
      'rules[0].type: primary',
    ],
    [
      'over an unknown column of a rule',
      { rules: [{ type: 'null_rate', column: 'x' }] },
      'rules[0].column: is no column',
    ],
    [
      'over a rate of more than all',
      { rules: [{ type: 'parse_failures', maxRate: 1.1 }] },
      'rules[0].maxRate: must be 1 or',
    ],
    [
      'over a rate below 0',
      { rules: [{ type: 'row_count_delta', maxRate: -1 }] },
      'rules[0].maxRate: must be 0 or more',
    ],
    [
      'over a change beyond bounds',
      { rules: [{ type: 'row_count_delta', maxRate: 101 }] },
      'rules[0].maxRate: must be 100',
    ],
    [
      'over bounds of a range the wrong way round',
      { rules: [{ ...aRule('range'), minimum: 3 }] },
      'rules[0].minimum: is more',
    ],
    [
      'over a range without bounds',
      { rules: [{ type: 'range', column: 'id' }] },
      'rules[0]: range needs minimum or maximum',
    ],
    ['over rows below 0', { rules: [{ type: 'row_count_min', minimum: -1 }] }, 'rules[0].minimum: must be 0 or more'],
    [
      'over no time at all',
      { rules: [{ type: 'freshness', maxSeconds: 0 }] },
      'rules[0].maxSeconds: must be 1 or more',
    ],
    [
      'over no values',
      { rules: [{ ...aRule('accepted_values'), values: [] }] },
      'rules[0].values: must have 1 or more items',
    ],
    [
      'over too many values',
      { rules: [{ ...aRule('accepted_values'), values: Array(1_001).fill('a') }] },
      'rules[0].values: must have 1000 or fewer items',
    ],
    [
      'over a value too long',
      { rules: [{ ...aRule('accepted_values'), values: [name(257)] }] },
      'rules[0].values: must have',
    ],
    ['not over the longest one', { rules: [{ ...aRule('accepted_values'), values: [name(256)] }] }, undefined],
    [
      'over a pattern too long',
      { rules: [{ ...aRule('pattern'), pattern: name(501) }] },
      'rules[0].pattern: must have 500',
    ],
    [
      'over more history than the window',
      { windowSize: 10, minHistoryForViolation: 11 },
      'minHistoryForViolation: must be 10',
    ],
    [
      'over a rule that needs no request',
      { extraSpcRules: ['WECO_4', 'NELSON_1'] },
      'extraSpcRules[1]: must be one of',
    ],
    ['over one that is asked for twice', { extraSpcRules: ['WECO_4', 'WECO_4'] }, 'extraSpcRules[1]: is the same as'],
    ['over runs of a whole table', { scope: 'data', runScope: 'batch' }, 'runScope: is for the scope tap alone'],
    [
      'over an unknown type',
      { schema: { fields: [{ name: 'a', type: 'Number' as never }] } },
      'schema.fields[0].type: must be',
    ],
    [
      'over the scale of a text',
      { schema: { fields: [{ name: 'a', type: 'String', scale: 1 }] } },
      'schema.fields[0].scale: is',
    ],
    [
      'over no columns, and none allowed',
      { ...EXACT, schema: { fields: [] } },
      'schema.fields: must name all columns of',
    ],
    [
      'over a column that it does not allow',
      { ...EXACT, schema: { fields: TABLE.fields.slice(1) } },
      'schema.fields: must',
    ],
    [
      'not over all columns and more',
      { ...EXACT, schema: { fields: [...TABLE.fields, ...TERMS.schema.fields] } },
      undefined,
    ],
    [
      'over more points than there may be',
      { windowSize: 200, series: manySeries(31), schema: LATER },
      'series: must be 30 or fewer where',
    ],
    ['not over as many as there may be', { windowSize: 200, series: manySeries(30), schema: LATER }, undefined],
    [
      'over names that differ by case alone',
      {
        schema: {
          fields: [
            { name: 'a', type: 'String' },
            { name: 'A', type: 'String' },
          ],
        },
      },
      'schema.fields[1]: is the same as schema.fields[0]',
    ],
    ['not over a column that is only to come', { rules: [{ ...aRule('range'), column: 'to_come' }] }, undefined],
  ])('%s', (_, terms, fault) => {
    if (fault === undefined) expect(faultOf(terms)).toBeUndefined();
    else expect(faultOf(terms)?.slice(0, fault.length)).toBe(fault);
  });
});
