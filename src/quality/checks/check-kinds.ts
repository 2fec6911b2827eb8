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
  /** What the observed value is compared with. */
  readonly threshold: (rule: ContractRule) => number;
  /** What passes, in a sentence; of the threshold and the column, as they are spelled. */
  readonly passes: (limit: string, column: string) => string;
  readonly plan: PlanCheck;
}

/** Seconds that the newest record may be old where the rule does not say it: a week. */
const DEFAULT_MAX_AGE_SECONDS = 7 * 86_400;

const exactlyZero = { comparator: 'EQ', threshold: () => 0 } as const;
const atMostRate = { comparator: 'LTE', threshold: ({ maxRate }: ContractRule) => maxRate ?? 0 } as const;

export const CHECK_KINDS: Readonly<Record<QualityCheck, CheckKind>> = {
  schema_columns: {
    ...exactlyZero,
    passes: () => 'All columns that the contract names are there, and none that it does not allow.',
    plan: planSchemaColumns,
  },
  schema_types: {
    ...exactlyZero,
    passes: () => 'Columns are of the types that the contract names.',
    plan: planSchemaTypes,
  },
  parse_failures: {
    ...atMostRate,
    passes: (limit) => `A share of ${limit} of the rows at the most does not fit its columns.`,
    plan: planParseFailures,
  },
  row_count_min: {
    comparator: 'GTE',
    threshold: ({ minimum }) => minimum ?? 1,
    passes: (limit) => `There are ${limit} rows or more.`,
    plan: planRowCountMin,
  },
  primary_key_unique: {
    ...exactlyZero,
    passes: () => 'No primary key is there twice.',
    plan: planPrimaryKeyUnique,
  },
  primary_key_null: {
    ...exactlyZero,
    passes: () => 'No row lacks a part of its primary key.',
    plan: planPrimaryKeyNull,
  },
  null_rate: {
    ...atMostRate,
    passes: (limit, column) => `A share of ${limit} of the rows at the most lacks ${column}.`,
    plan: planNullRate,
  },
  duplicate_rate: {
    ...atMostRate,
    passes: (limit) => `A share of ${limit} of the rows at the most repeats another row.`,
    plan: planDuplicateRate,
  },
  row_count_delta: {
    ...atMostRate,
    passes: (limit) => `The number of rows differs from that of the run before by a share of ${limit} at the most.`,
    plan: planRowCountDelta,
  },
  freshness: {
    comparator: 'LTE',
    threshold: ({ maxSeconds }) => maxSeconds ?? DEFAULT_MAX_AGE_SECONDS,
    passes: (limit) => `The newest record is ${limit} seconds old at the most.`,
    plan: planFreshness,
  },
  accepted_values: {
    ...atMostRate,
    passes: (limit, column) => `A share of ${limit} of the values of ${column} at the most is not on the list.`,
    plan: planAcceptedValues,
  },
  range: {
    ...atMostRate,
    passes: (limit, column) => `A share of ${limit} of the values of ${column} at the most lies outside of the bounds.`,
    plan: planRange,
  },
  pattern: {
    ...atMostRate,
    passes: (limit, column) => `A share of ${limit} of the values of ${column} at the most does not match the pattern.`,
    plan: planPattern,
  },
  cursor_monotonic: {
    comparator: 'GTE',
    threshold: () => 0,
    passes: (_limit, column) => `The highest value of ${column} is not below that of the run before.`,
    plan: planCursorMonotonic,
  },
  deletion_rate: {
    ...atMostRate,
    passes: (limit) => `A share of ${limit} of the rows of the run before at the most is gone.`,
    plan: planDeletionRate,
  },
  future_timestamp: {
    ...atMostRate,
    passes: (limit, column) =>
      `A share of ${limit} of the values of ${column} at the most lies 5 minutes ahead or more.`,
    plan: planFutureTimestamp,
  },
  distinct_drop: {
    ...atMostRate,
    passes: (limit, column) =>
      `A share of ${limit} of the different values of ${column} at the most is gone since the run before.`,
    plan: planDistinctDrop,
  },
};
