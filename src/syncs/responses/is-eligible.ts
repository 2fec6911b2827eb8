import { ELIGIBILITY_OPERATORS, type ParentEligibility } from '../../catalog/model/traversal.js';
import type { VendorRecord } from '../tap-page.js';
import { failureOf } from './failure-table.js';
import { fieldValueOf, scalarTextOf } from './field-value.js';

type Comparison = (value: unknown, condition: ParentEligibility) => boolean;

/** Null and missing fields differ from every value. A comparison of such a field with a number is false. */
const COMPARISONS: Readonly<Record<(typeof ELIGIBILITY_OPERATORS)[number], Comparison>> = {
  eq: isListed,
  in: isListed,
  neq: (value, condition) => !isListed(value, condition),
  not_in: (value, condition) => !isListed(value, condition),
  gt: (value, condition) => numberOf(value) > thresholdOf(condition),
  gte: (value, condition) => numberOf(value) >= thresholdOf(condition),
  lt: (value, condition) => numberOf(value) < thresholdOf(condition),
  lte: (value, condition) => numberOf(value) <= thresholdOf(condition),
};

/** Throws `TapReadError` with class `contract` for an unknown operator. */
export function isEligible(
  parentRecord: VendorRecord,
  conditions: readonly ParentEligibility[] | null | undefined,
): boolean {
  return (conditions ?? []).every((condition) => {
    const operator = ELIGIBILITY_OPERATORS.find((one) => one === condition.operator);
    if (!operator)
      throw failureOf('invalid_definition', {
        message: `parentEligibility: the operator ${condition.operator} does not exist.`,
      });
    return COMPARISONS[operator](fieldValueOf(parentRecord, condition.field), condition);
  });
}

/** For a list, one matching element is enough. */
function isListed(value: unknown, { values = [], threshold }: ParentEligibility): boolean {
  const listed = threshold == null ? values : [...values, String(threshold)];
  return (Array.isArray(value) ? value : [value]).some((element) => {
    const text = scalarTextOf(element);
    return text !== undefined && listed.includes(text);
  });
}

/** Returns NaN if the value is not a number, because a comparison of NaN with a number is always false. */
function numberOf(value: unknown): number {
  const text = scalarTextOf(value);
  return text === undefined || text.trim() === '' || typeof value === 'boolean' ? Number.NaN : Number(text);
}

function thresholdOf({ threshold, values }: ParentEligibility): number {
  return threshold ?? numberOf(values?.[0]);
}
