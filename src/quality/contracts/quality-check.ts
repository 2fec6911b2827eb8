import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const QualityCheck = wireEnum('QualityCheck', 'What is checked. `spec.id` in a result starts with it.', {
  schema_columns: 'Columns that the contract names and the rows lack, and those that it does not allow.',
  schema_types: 'Columns of another type than the contract names.',
  parse_failures: 'Share of rows that did not fit their columns.',
  row_count_min: 'Rows that there have to be.',
  primary_key_unique: 'Rows beyond the first of a primary key.',
  primary_key_null: 'Rows that lack a part of their primary key.',
  null_rate: 'Share of rows without a value in a column.',
  duplicate_rate: 'Share of rows beyond the first of a primary key, or of all their columns where there is none.',
  row_count_delta: 'Change of the number of rows since the run before, as a share of those.',
  freshness: 'Seconds since the newest record.',
  accepted_values: 'Share of values that are not on a list.',
  range: 'Share of values outside of bounds.',
  pattern: 'Share of values that do not match a regular expression.',
  cursor_monotonic: 'By how much the highest value of a column lies above that of the run before.',
  deletion_rate: 'Share of the rows of the run before that there are fewer by now.',
  future_timestamp: 'Share of values that lie more than 5 minutes ahead.',
  distinct_drop: 'Share of the distinct values of the run before that there are fewer by now.',
});
export type QualityCheck = keyof typeof QualityCheck;

export const QualityGate = wireEnum('QualityGate', 'What follows from a check that fails.', {
  GATE_1: 'Structure: the rows do not become part of the table.',
  GATE_2: 'Volume, freshness and nulls: the table counts as degraded, and so does its connection.',
  GATE_3: 'Business rules: nothing but the advice.',
});
export type QualityGate = keyof typeof QualityGate;

export const CheckStatus = wireEnum('CheckStatus', 'What came of a check.', {
  PASS: 'It passed.',
  WARN: 'It failed, and only advises.',
  FAIL: 'It failed.',
  ERROR: 'It could not be made.',
  SKIPPED: 'There was nothing to compare.',
});
export type CheckStatus = keyof typeof CheckStatus;

export const Comparator = wireEnum('Comparator', 'A check passes when `observed comparator threshold`.', {
  LT: 'Less than.',
  LTE: 'Less than or equal.',
  GT: 'Greater than.',
  GTE: 'Greater than or equal.',
  EQ: 'Equal.',
  NEQ: 'Not equal.',
});
export type Comparator = keyof typeof Comparator;

/** Whether a check passes. */
export const COMPARISONS: Readonly<Record<Comparator, (observed: number, threshold: number) => boolean>> = {
  LT: (observed, threshold) => observed < threshold,
  LTE: (observed, threshold) => observed <= threshold,
  GT: (observed, threshold) => observed > threshold,
  GTE: (observed, threshold) => observed >= threshold,
  EQ: (observed, threshold) => observed === threshold,
  NEQ: (observed, threshold) => observed !== threshold,
};

export const QualityLifecycle = wireEnum('QualityLifecycle', 'When rows were looked at.', {
  transform: 'After a transformation, by the job that made it.',
  promote: 'Before they became part of their table.',
  monitor: 'As part of their table.',
});
export type QualityLifecycle = keyof typeof QualityLifecycle;

/** What each check stands for. Those of GATE_1 judge rows before they come in, so they are part of tap contracts alone. */
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
  future_timestamp: 'GATE_3',
  distinct_drop: 'GATE_3',
};

/** The status of a check that does not pass. */
export function failureStatusOf(gate: QualityGate): CheckStatus {
  return gate === 'GATE_3' ? 'WARN' : 'FAIL';
}

/** The worst first. */
const CHECK_STATUSES_BY_SEVERITY: readonly CheckStatus[] = ['FAIL', 'ERROR', 'WARN', 'PASS', 'SKIPPED'];

/** The worst of all; of none, SKIPPED. */
export function worstCheckStatus(statuses: readonly CheckStatus[]): CheckStatus {
  return CHECK_STATUSES_BY_SEVERITY.find((status) => statuses.includes(status)) ?? 'SKIPPED';
}
