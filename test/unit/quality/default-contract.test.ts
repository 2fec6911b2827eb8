import { describe, expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { defaultContract, type TapFacts } from '../../../src/quality/contracts/default-contract.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';
import { aTap } from '../../support/catalog/definition-builders.js';

const SCHEMA: TableSchema = {
  fields: [
    { name: 'id', type: 'Integer' },
    { name: 'email', type: 'String' },
    { name: 'born', type: 'Date' },
    { name: 'profile', type: 'JSON' },
    { name: 'isActive', type: 'Boolean' },
  ],
};

/** With a definition, describes an incremental tap. Without a definition, describes a tap without a connection. */
function facts(definition?: Partial<TapDefinition>, more: Partial<TapFacts> = {}): TapFacts {
  return {
    schema: SCHEMA,
    definition:
      definition && (aTap({ sync: { mode: 'incremental' }, ...definition }) as unknown as TapFacts['definition']),
    hasConnection: definition !== undefined,
    ...more,
  };
}

const required = (...names: string[]) => ({ schema: { type: 'object', properties: {}, required: names } });

describe('the default tap contract', () => {
  const contractOf = (definition?: Partial<TapDefinition>) => defaultContract('tap', facts(definition));

  it('of a published file requires its columns and tracks its row count', () => {
    expect(contractOf()).toEqual({
      ...{ schema: SCHEMA, primaryKey: [], sensitiveColumns: [], windowSize: 30, minHistoryForViolation: 14 },
      rules: [{ type: 'schema_columns' }, { type: 'schema_types' }],
      series: [{ kind: 'TABLE_ROW_COUNT' }],
    });
  });

  it('requires no unit of a column', () => {
    const price = { name: 'price', type: 'Decimal', scale: 2 } as const;
    const schema = { fields: [{ ...price, unit: '%' }] };
    expect(defaultContract('tap', facts(undefined, { schema })).schema).toEqual({ fields: [price] });
  });

  it.each<[what: string, key: string[], definition: Partial<TapDefinition>]>([
    ['is the primaryKey', ['id'], { responseExtraction: { primaryKey: 'id' } }],
    ['is not a column of the table', [], { responseExtraction: { primaryKey: 'meta.id' } }],
    ['is a list', [], { responseExtraction: { primaryKey: 'id,email' } }],
    ['is synthetic', ['id'], { responseExtraction: { syntheticPrimaryKey: { outputField: 'id' } } }],
    [
      'is synthetic in pushed records',
      [],
      { responseExtraction: { primaryKey: 'id', syntheticPrimaryKey: { outputField: 'id' } }, sync: { mode: 'push' } },
    ],
  ])('determines the primary key from a field that %s', (_, key, definition) => {
    const { primaryKey, rules } = contractOf(definition);
    expect([primaryKey, rules.slice(2)]).toEqual([key, key.map((column) => ({ type: 'null_rate', column }))]);
  });

  it('of an identity directory has all text columns except the key as sensitive columns', () => {
    const responseExtraction = { primaryKey: 'email' };
    expect(contractOf({ identityDirectory: true, responseExtraction }).sensitiveColumns).toEqual(['profile']);
    expect(contractOf({ identityDirectory: true }).sensitiveColumns).toEqual(['email', 'profile']);
    expect(contractOf({ identityDirectory: false }).sensitiveColumns).toEqual([]);
  });

  it('limits the share of records that a full read may lose', () => {
    const rule = { type: 'missing_rate', maxRate: 0.3 };
    expect(contractOf({ sync: { mode: 'full' } }).rules).toContainEqual(rule);
    expect(contractOf().rules).not.toContainEqual(rule);
    expect(contractOf({}).rules).not.toContainEqual(rule);
  });

  it('applies a rule without a column to the required fields', () => {
    const qualityConfig = { rules: [{ type: 'null_rate', maxRate: 0.1 }] };
    expect(contractOf({ qualityConfig, ...required('email', 'born', 'unknown') }).rules).toEqual([
      { type: 'null_rate', column: 'email', maxRate: 0.1 },
      { type: 'null_rate', column: 'born', maxRate: 0.1 },
      ...[{ type: 'schema_columns' }, { type: 'schema_types' }, { type: 'null_rate', column: 'id' }],
    ]);
    expect(contractOf({ qualityConfig }).rules).toContainEqual({ type: 'null_rate', column: 'id', maxRate: 0.1 });
    expect(contractOf({ qualityConfig, responseExtraction: {} }).rules).not.toContainEqual(
      expect.objectContaining({ type: 'null_rate' }),
    );
  });

  it('skips columns whose type the check does not support', () => {
    const qualityConfig = { rules: ['future_timestamp', 'cursor_monotonic'].map((type) => ({ type })) };
    expect(contractOf({ qualityConfig, ...required('id', 'email', 'born') }).rules.slice(0, 3)).toEqual([
      { type: 'future_timestamp', column: 'born' },
      { type: 'cursor_monotonic', column: 'id' },
      { type: 'cursor_monotonic', column: 'born' },
    ]);
  });

  it('omits unknown checks and checks without required settings', () => {
    const types = ['vibes', 'toString', 'accepted_values', 'range', 'pattern'];
    const qualityConfig = { rules: types.map((type) => ({ type, maxRate: 0 })) };
    const { rules } = contractOf({ qualityConfig });
    expect(rules.map(({ type }) => type)).toEqual(['schema_columns', 'schema_types', 'null_rate']);
  });

  it('contains each check and each series once, with the settings of the first', () => {
    const rules = [
      { type: 'duplicate_rate', maxRate: 7 },
      { type: 'duplicate_rate', maxRate: 0.5 },
      { type: 'schema_types', maxRate: 1 },
    ];
    const spc = { trackedSeries: ['TABLE_BYTES', 'TABLE_BYTES'] as const };
    const made = contractOf({ qualityConfig: { rules, spc: { trackedSeries: [...spc.trackedSeries] } } });
    expect(made.rules.map(({ type, maxRate }) => [type, maxRate])).toEqual([
      ['duplicate_rate', 1],
      ['schema_types', undefined],
      ['schema_columns', undefined],
      ['null_rate', undefined],
    ]);
    expect(made.series).toEqual([{ kind: 'TABLE_BYTES' }]);
  });

  it('tracks columns if the definition requests it, and means only of numbers', () => {
    const spc = { trackedSeries: ['COLUMN_NULL_RATE' as const, 'COLUMN_MEAN' as const] };
    expect(contractOf({ qualityConfig: { spc }, ...required('id', 'email') }).series).toEqual([
      { kind: 'COLUMN_NULL_RATE', column: 'id' },
      { kind: 'COLUMN_NULL_RATE', column: 'email' },
      { kind: 'COLUMN_MEAN', column: 'id' },
    ]);
  });

  it('stays within the limits of a contract', () => {
    const fields = Array.from({ length: 300 }, (_, nth) => ({ name: `c${nth}`, type: 'String' as const }));
    const qualityConfig = {
      rules: [{ type: 'null_rate' }],
      spc: { trackedSeries: ['COLUMN_NULL_RATE' as const], windowSize: 100 },
    };
    const definition = { qualityConfig, ...required(...fields.map(({ name }) => name)) };
    const { rules, series } = defaultContract('tap', facts(definition, { schema: { fields } }));
    expect([rules.length, series.length]).toEqual([200, 60]);
  });

  it.each([
    [{ windowSize: 60, minHistoryForViolation: 20 }, [60, 20]],
    [{ windowSize: 1, minHistoryForViolation: 1 }, [5, 2]],
    [{ windowSize: 9_999, minHistoryForViolation: 9_999 }, [200, 200]],
    [{ windowSize: 10 }, [10, 10]],
  ])('limits the settings of control charts: %j', (spc, wanted) => {
    const { windowSize, minHistoryForViolation } = contractOf({ qualityConfig: { spc } });
    expect([windowSize, minHistoryForViolation]).toEqual(wanted);
  });
});

describe('the default data contract', () => {
  it('requires new rows of a connection within a week, or the time in its definition', () => {
    const rulesOf = (definition?: Partial<TapDefinition>) => defaultContract('data', facts(definition)).rules;
    expect(rulesOf({})).toEqual([{ type: 'freshness', maxSeconds: 604_800 }]);
    expect(rulesOf({ retentionPolicy: { alertThresholdDays: 2 } })).toEqual([
      { type: 'freshness', maxSeconds: 172_800 },
    ]);
    expect(rulesOf()).toEqual([]);
  });

  it('ignores the rules and series in the definition, which concern runs', () => {
    const qualityConfig = { rules: [{ type: 'duplicate_rate' }], spc: { trackedSeries: ['TABLE_BYTES' as const] } };
    const { rules, series } = defaultContract('data', facts({ qualityConfig }));
    expect(rules.map(({ type }) => type)).toEqual(['freshness']);
    expect(series).toEqual([{ kind: 'TABLE_FRESHNESS_SECONDS' }]);
  });
});
