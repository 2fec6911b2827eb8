import type { FieldType } from '../../csv/model/data-schema.js';
import type { Bounds } from '../../kernel/entities/field-limits.js';
import type { QualityCheck } from './quality-check.js';
import type { ContractRule } from './table-contract.js';

export type RuleSetting = Exclude<keyof ContractRule, 'type' | 'column'>;

export type ColumnTypes = readonly FieldType[] | 'any';

/** The service rejects settings that are not listed. */
interface RuleRequirements {
  /** Column types that the check supports. If undefined, the check takes no column. */
  readonly column?: ColumnTypes;
  readonly must?: readonly RuleSetting[];
  readonly may?: readonly RuleSetting[];
  /** The check requires at least one of these settings. */
  readonly oneOf?: readonly RuleSetting[];
  /** These bounds override `RULE_BOUNDS`. */
  readonly bounds?: Partial<Record<RuleSetting, Bounds>>;
  readonly needsKey?: true;
}

export const NUMERIC_TYPES: readonly FieldType[] = ['Integer', 'Decimal', 'Double'];
export const TEMPORAL_TYPES: readonly FieldType[] = ['Date', 'DateTime', 'DateTimeOffset'];

export const RULE_REQUIREMENTS: Readonly<Record<QualityCheck, RuleRequirements>> = {
  schema_columns: {},
  schema_types: {},
  parse_failures: { may: ['maxRate'] },
  row_count_min: { may: ['minimum'], bounds: { minimum: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } } },
  primary_key_unique: { needsKey: true },
  primary_key_null: { needsKey: true },
  null_rate: { column: 'any', may: ['maxRate'] },
  duplicate_rate: { may: ['maxRate'] },
  row_count_delta: { may: ['maxRate'], bounds: { maxRate: { minimum: 0, maximum: 100 } } },
  freshness: { must: ['maxSeconds'] },
  accepted_values: { column: 'any', must: ['values'], may: ['maxRate'] },
  range: { column: NUMERIC_TYPES, may: ['maxRate', 'minimum', 'maximum'], oneOf: ['minimum', 'maximum'] },
  pattern: { column: ['String'], must: ['pattern'], may: ['maxRate'] },
  cursor_monotonic: { column: [...NUMERIC_TYPES, ...TEMPORAL_TYPES] },
  deletion_rate: { may: ['maxRate'] },
  missing_rate: { may: ['maxRate'] },
  future_timestamp: { column: TEMPORAL_TYPES, may: ['maxRate'] },
  distinct_drop: { column: 'any', may: ['maxRate'] },
};

export const RULE_BOUNDS: Readonly<Record<RuleSetting, Bounds>> = {
  maxRate: { minimum: 0, maximum: 1 },
  minimum: {},
  maximum: {},
  maxSeconds: { minimum: 1 },
  values: { minItems: 1, maxItems: 1_000, maxLength: 256 },
  pattern: { minLength: 1, maxLength: 500 },
};
