import type { ContractExpectations } from '../../src/quality/checks/inspection.js';
import type { ContractRule, ContractSeries } from '../../src/quality/contracts/table-contract.js';
import { QUALITY_FIELDS } from './quality-table.js';

const TEXTS = ['name', 'email', 'city', 'order_key'];
const NUMBERS = ['id', 'amount', 'ratio'];

const RULES: readonly ContractRule[] = [
  { type: 'schema_columns' },
  { type: 'schema_types' },
  { type: 'parse_failures' },
  { type: 'row_count_min', minimum: 1 },
  { type: 'primary_key_unique' },
  { type: 'primary_key_null' },
  { type: 'duplicate_rate' },
  { type: 'row_count_delta', maxRate: 0.5 },
  { type: 'deletion_rate', maxRate: 0.1 },
  { type: 'freshness', maxSeconds: 1_000_000_000 },
  ...QUALITY_FIELDS.map(({ name }): ContractRule => ({ type: 'null_rate', column: name, maxRate: 0.05 })),
  { type: 'range', column: 'amount', minimum: 0, maximum: 100_000 },
  { type: 'range', column: 'ratio', minimum: 0, maximum: 1 },
  { type: 'accepted_values', column: 'city', values: ['Bergen', 'Graz', 'Lyon', 'Porto', 'Turku', 'Zug'] },
  { type: 'pattern', column: 'email', pattern: '[a-z0-9]+@[a-z]+\\.com' },
  { type: 'pattern', column: 'order_key', pattern: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' },
  { type: 'cursor_monotonic', column: 'updated_at' },
  { type: 'cursor_monotonic', column: 'id' },
  { type: 'future_timestamp', column: 'updated_at' },
  { type: 'distinct_drop', column: 'city', maxRate: 0.5 },
  { type: 'distinct_drop', column: 'name', maxRate: 0.5 },
];

const SERIES: readonly ContractSeries[] = [
  { kind: 'TABLE_ROW_COUNT' },
  { kind: 'TABLE_BYTES' },
  { kind: 'TABLE_FRESHNESS_SECONDS' },
  ...[...TEXTS, ...NUMBERS].map((column): ContractSeries => ({ kind: 'COLUMN_NULL_RATE', column })),
  ...[...TEXTS, ...NUMBERS].map((column): ContractSeries => ({ kind: 'COLUMN_DISTINCT_COUNT', column })),
  ...NUMBERS.map((column): ContractSeries => ({ kind: 'COLUMN_MEAN', column })),
];

/** Contains every kind of expectation. The table of `writeQualityTable` meets all of them. */
export function passingContract(primaryKey: readonly string[]): ContractExpectations {
  return {
    schema: { fields: QUALITY_FIELDS },
    allowsNewColumns: true,
    primaryKey: [...primaryKey],
    timestampColumn: 'updated_at',
    sensitiveColumns: [],
    series: [...SERIES],
    rules: [...RULES],
  };
}

/** Returns a contract with checks of three kinds that fail and collect evidence. */
export function failingContract(primaryKey: readonly string[]): ContractExpectations {
  const contract = passingContract(primaryKey);
  const unmet: ContractRule[] = [
    { type: 'null_rate', column: 'email', maxRate: 0.01 },
    { type: 'accepted_values', column: 'city', values: ['Bergen', 'Graz', 'Lyon'], maxRate: 0.01 },
    { type: 'range', column: 'amount', minimum: 1_000 },
  ];
  const kept = contract.rules.filter(
    (rule) => !unmet.some(({ type, column }) => type === rule.type && column === rule.column),
  );
  return { ...contract, rules: [...kept, ...unmet] };
}
