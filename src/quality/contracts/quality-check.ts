import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const QualityCheck = wireEnum(
  'QualityCheck',
  'Kind of check. The description of a kind names the value that the check observes. `spec.id` of a result starts with the kind.',
  {
    schema_columns:
      'Number of required columns that the table lacks, plus the number of columns that the contract does not allow.',
    schema_types: 'Number of columns whose type differs from the type in the contract.',
    parse_failures: 'Share of rejected rows.',
    row_count_min: 'Number of rows.',
    primary_key_unique: 'Number of rows that repeat a primary key.',
    primary_key_null: 'Number of rows with a null in the primary key.',
    null_rate: 'Share of rows with a null in the column.',
    duplicate_rate:
      'Share of rows whose primary key occurs in an earlier row. Without a primary key, the check compares all columns.',
    row_count_delta:
      'Increase or decrease in the row count since the previous run, as a positive fraction of the previous count.',
    freshness: 'Seconds since the newest record.',
    accepted_values: 'Share of values that are not in `values`.',
    range: 'Share of values below `minimum` or above `maximum`.',
    pattern: 'Share of values that do not match `pattern`.',
    cursor_monotonic:
      'Highest value of the column minus the highest value of the previous run. For times, the unit is seconds.',
    deletion_rate: 'Decrease in the row count since the previous run, as a fraction of the previous count.',
    missing_rate:
      "Share of the table's records that are missing from a full read. Fewer than 5 missing records count as 0, unless the read returned no records.",
    future_timestamp: 'Share of values more than 5 minutes in the future.',
    distinct_drop:
      'Decrease in the number of distinct values since the previous run, as a fraction of the previous number.',
  },
);
export type QualityCheck = keyof typeof QualityCheck;

export const QualityGate = wireEnum('QualityGate', 'Effect of a failed check.', {
  GATE_1:
    'Checks of structure, keys and completeness. If such a check fails, the service does not load the rows of the run into the table. Of pushed records, it rejects only the batches that fail.',
  GATE_2:
    'Checks of volume, freshness and values. If such a check fails, the service marks the table and its connection as degraded.',
  GATE_3: 'Checks of business rules. If such a check fails, the result is a warning.',
});
export type QualityGate = keyof typeof QualityGate;

export const CheckStatus = wireEnum('CheckStatus', 'Outcome of a check.', {
  PASS: 'The check passed.',
  WARN: 'The check failed, and its gate is GATE_3.',
  FAIL: 'The check failed, and its gate is GATE_1 or GATE_2.',
  ERROR: 'The check could not run.',
  SKIPPED: 'There was no value to check, for example because there was no previous run.',
});
export type CheckStatus = keyof typeof CheckStatus;

export const Comparator = wireEnum(
  'Comparator',
  'Comparison of an observed value with a threshold. A check passes if the comparison is true.',
  {
    LT: 'Less than.',
    LTE: 'Less than or equal.',
    GT: 'Greater than.',
    GTE: 'Greater than or equal.',
    EQ: 'Equal.',
    NEQ: 'Not equal.',
  },
);
export type Comparator = keyof typeof Comparator;

export const COMPARISONS: Readonly<Record<Comparator, (observed: number, threshold: number) => boolean>> = {
  LT: (observed, threshold) => observed < threshold,
  LTE: (observed, threshold) => observed <= threshold,
  GT: (observed, threshold) => observed > threshold,
  GTE: (observed, threshold) => observed >= threshold,
  EQ: (observed, threshold) => observed === threshold,
  NEQ: (observed, threshold) => observed !== threshold,
};

export const QualityLifecycle = wireEnum('QualityLifecycle', 'Stage at which rows are checked.', {
  transform: 'After a transformation. An external job reports the checks.',
  promote: 'Before the rows are loaded into the table.',
  monitor: 'After the rows are loaded, as a check of the whole table.',
});
export type QualityLifecycle = keyof typeof QualityLifecycle;

/** Contracts with scope `data` check loaded rows, so they cannot have checks of GATE_1, which run before the load. */
export const GATE_BY_CHECK: Readonly<Record<QualityCheck, QualityGate>> = {
  schema_columns: 'GATE_1',
  schema_types: 'GATE_1',
  parse_failures: 'GATE_1',
  row_count_min: 'GATE_1',
  primary_key_unique: 'GATE_1',
  primary_key_null: 'GATE_1',
  null_rate: 'GATE_2',
  duplicate_rate: 'GATE_2',
  row_count_delta: 'GATE_2',
  freshness: 'GATE_2',
  accepted_values: 'GATE_2',
  range: 'GATE_2',
  pattern: 'GATE_2',
  cursor_monotonic: 'GATE_2',
  deletion_rate: 'GATE_2',
  missing_rate: 'GATE_1',
  future_timestamp: 'GATE_3',
  distinct_drop: 'GATE_3',
};

export function failureStatusOf(gate: QualityGate): CheckStatus {
  return gate === 'GATE_3' ? 'WARN' : 'FAIL';
}

/** Worst first. */
const CHECK_STATUSES_BY_SEVERITY: readonly CheckStatus[] = ['FAIL', 'ERROR', 'WARN', 'PASS', 'SKIPPED'];

/** Returns SKIPPED for an empty list. */
export function worstCheckStatus(statuses: readonly CheckStatus[]): CheckStatus {
  return CHECK_STATUSES_BY_SEVERITY.find((status) => statuses.includes(status)) ?? 'SKIPPED';
}
