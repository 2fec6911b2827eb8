import type { Comparator, QualityCheck } from '../contracts/quality-check.js';
import type { ContractRule } from '../contracts/table-contract.js';
import {
  planAcceptedValues,
  planCursorMonotonic,
  planDistinctDrop,
  planFutureTimestamp,
  planNullRate,
  planPattern,
  planRange,
} from './plan-column-checks.js';
import {
  planDeletionRate,
  planDuplicateRate,
  planFreshness,
  planMissingRate,
  planParseFailures,
  planPrimaryKeyNull,
  planPrimaryKeyUnique,
  planRowCountDelta,
  planRowCountMin,
  planSchemaColumns,
  planSchemaTypes,
} from './plan-table-checks.js';
import type { PlanCheck } from './planned-check.js';

interface CheckKind {
  readonly comparator: Comparator;
  readonly threshold: (rule: ContractRule) => number;
  /** Describes when the check passes. `limit` is the formatted threshold. */
  readonly passes: (limit: string, column: string) => string;
  readonly plan: PlanCheck;
}

const DEFAULT_MAX_AGE_SECONDS = 7 * 86_400;

const exactlyZero = { comparator: 'EQ', threshold: () => 0 } as const;
const atMostRate = { comparator: 'LTE', threshold: ({ maxRate }: ContractRule) => maxRate ?? 0 } as const;

export const CHECK_KINDS: Readonly<Record<QualityCheck, CheckKind>> = {
  schema_columns: {
    ...exactlyZero,
    passes: () => 'The rows have all columns of the contract and no disallowed columns.',
    plan: planSchemaColumns,
  },
  schema_types: {
    ...exactlyZero,
    passes: () => 'The columns have the types of the contract.',
    plan: planSchemaTypes,
  },
  parse_failures: {
    ...atMostRate,
    passes: (limit) => `The share of rejected rows is at most ${limit}.`,
    plan: planParseFailures,
  },
  row_count_min: {
    comparator: 'GTE',
    threshold: ({ minimum }) => minimum ?? 1,
    passes: (limit) => `The number of rows is at least ${limit}.`,
    plan: planRowCountMin,
  },
  primary_key_unique: {
    ...exactlyZero,
    passes: () => 'No primary key occurs more than once.',
    plan: planPrimaryKeyUnique,
  },
  primary_key_null: {
    ...exactlyZero,
    passes: () => 'No row has a null in its primary key.',
    plan: planPrimaryKeyNull,
  },
  null_rate: {
    ...atMostRate,
    passes: (limit, column) => `The share of rows with no value in ${column} is at most ${limit}.`,
    plan: planNullRate,
  },
  duplicate_rate: {
    ...atMostRate,
    passes: (limit) => `The share of duplicate rows is at most ${limit}.`,
    plan: planDuplicateRate,
  },
  row_count_delta: {
    ...atMostRate,
    passes: (limit) => `Since the previous run, the row count changed by at most ${limit} of the previous row count.`,
    plan: planRowCountDelta,
  },
  freshness: {
    comparator: 'LTE',
    threshold: ({ maxSeconds }) => maxSeconds ?? DEFAULT_MAX_AGE_SECONDS,
    passes: (limit) => `The newest record is at most ${limit} seconds old.`,
    plan: planFreshness,
  },
  accepted_values: {
    ...atMostRate,
    passes: (limit, column) => `The share of values in ${column} that are not in the list is at most ${limit}.`,
    plan: planAcceptedValues,
  },
  range: {
    ...atMostRate,
    passes: (limit, column) => `The share of values in ${column} that are out of range is at most ${limit}.`,
    plan: planRange,
  },
  pattern: {
    ...atMostRate,
    passes: (limit, column) => `The share of values in ${column} that do not match the pattern is at most ${limit}.`,
    plan: planPattern,
  },
  cursor_monotonic: {
    comparator: 'GTE',
    threshold: () => 0,
    passes: (_limit, column) => `The highest value in ${column} has not decreased since the previous run.`,
    plan: planCursorMonotonic,
  },
  deletion_rate: {
    ...atMostRate,
    passes: (limit) => `Since the previous run, the row count decreased by at most ${limit} of the previous row count.`,
    plan: planDeletionRate,
  },
  missing_rate: {
    ...atMostRate,
    passes: (limit) => `The share of records of the table that are missing from a full read is at most ${limit}.`,
    plan: planMissingRate,
  },
  future_timestamp: {
    ...atMostRate,
    passes: (limit, column) =>
      `The share of values in ${column} that are more than 5 minutes in the future is at most ${limit}.`,
    plan: planFutureTimestamp,
  },
  distinct_drop: {
    ...atMostRate,
    passes: (limit, column) =>
      `Since the previous run, the number of distinct values in ${column} decreased by at most ${limit} of the previous number.`,
    plan: planDistinctDrop,
  },
};
