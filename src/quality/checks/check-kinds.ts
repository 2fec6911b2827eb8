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
  /** Describes the state in which the check passes. `limit` is the formatted threshold. */
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
    passes: (limit) => `At most ${limit} of the rows are rejected.`,
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
    passes: (limit, column) => `At most ${limit} of the rows have no value in ${column}.`,
    plan: planNullRate,
  },
  duplicate_rate: {
    ...atMostRate,
    passes: (limit) => `At most ${limit} of the rows are duplicates.`,
    plan: planDuplicateRate,
  },
  row_count_delta: {
    ...atMostRate,
    passes: (limit) =>
      `The change in the row count since the previous run, divided by the previous row count, is at most ${limit}.`,
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
    passes: (limit, column) => `At most ${limit} of the values in ${column} are not in the list.`,
    plan: planAcceptedValues,
  },
  range: {
    ...atMostRate,
    passes: (limit, column) => `At most ${limit} of the values in ${column} are out of range.`,
    plan: planRange,
  },
  pattern: {
    ...atMostRate,
    passes: (limit, column) => `At most ${limit} of the values in ${column} do not match the pattern.`,
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
    passes: (limit) =>
      `The decrease in the row count since the previous run, divided by the previous row count, is at most ${limit}.`,
    plan: planDeletionRate,
  },
  missing_rate: {
    ...atMostRate,
    passes: (limit) => `At most ${limit} of the records of the table are missing from a full read.`,
    plan: planMissingRate,
  },
  future_timestamp: {
    ...atMostRate,
    passes: (limit, column) => `At most ${limit} of the values in ${column} are more than 5 minutes in the future.`,
    plan: planFutureTimestamp,
  },
  distinct_drop: {
    ...atMostRate,
    passes: (limit, column) =>
      `The decrease in the number of distinct values in ${column} since the previous run, divided by the previous number, is at most ${limit}.`,
    plan: planDistinctDrop,
  },
};
