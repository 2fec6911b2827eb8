import type { ContractScope, QualityCheck } from '../../../gql/graphql.js';

export type RuleSetting = 'maxRate' | 'minimum' | 'maximum' | 'maxSeconds' | 'values' | 'pattern';

interface RuleFields {
  readonly title: string;
  readonly needsColumn?: true;
  readonly settings: readonly RuleSetting[];
  /**
   * Whether a failed check keeps the rows out of the table. Only contracts with the scope `tap` may have such a check.
   */
  readonly isGate?: true;
}

export const RULE_FIELDS: Readonly<Record<QualityCheck, RuleFields>> = {
  schema_columns: { title: 'Columns match the contract', settings: [], isGate: true },
  schema_types: { title: 'Columns have the types of the contract', settings: [], isGate: true },
  parse_failures: { title: 'Share of rejected rows', settings: ['maxRate'], isGate: true },
  row_count_min: { title: 'Number of rows', settings: ['minimum'], isGate: true },
  primary_key_unique: { title: 'Primary key is unique', settings: [], isGate: true },
  primary_key_null: { title: 'Primary key has no nulls', settings: [], isGate: true },
  missing_rate: { title: 'Share of records missing from a full read', settings: ['maxRate'], isGate: true },
  null_rate: { title: 'Share of nulls', needsColumn: true, settings: ['maxRate'] },
  duplicate_rate: { title: 'Share of duplicates', settings: ['maxRate'] },
  row_count_delta: { title: 'Change in the number of rows', settings: ['maxRate'] },
  freshness: { title: 'Age of the newest record', settings: ['maxSeconds'] },
  accepted_values: { title: 'Accepted values', needsColumn: true, settings: ['values', 'maxRate'] },
  range: { title: 'Range of values', needsColumn: true, settings: ['minimum', 'maximum', 'maxRate'] },
  pattern: { title: 'Pattern of values', needsColumn: true, settings: ['pattern', 'maxRate'] },
  cursor_monotonic: { title: 'Highest value does not decrease', needsColumn: true, settings: [] },
  deletion_rate: { title: 'Decrease in the number of rows', settings: ['maxRate'] },
  future_timestamp: { title: 'Share of dates in the future', needsColumn: true, settings: ['maxRate'] },
  distinct_drop: { title: 'Decrease in distinct values', needsColumn: true, settings: ['maxRate'] },
};

export const SETTING_LABELS: Readonly<Record<RuleSetting, string>> = {
  maxRate: 'At most (%)',
  minimum: 'At least',
  maximum: 'At most',
  maxSeconds: 'At most (hours)',
  values: 'Values, one per line',
  pattern: 'RE2 pattern that matches the whole value',
};

export function checksOf(scope: ContractScope): QualityCheck[] {
  const all = Object.keys(RULE_FIELDS) as QualityCheck[];
  return all.filter((check) => scope === 'tap' || !RULE_FIELDS[check].isGate);
}
