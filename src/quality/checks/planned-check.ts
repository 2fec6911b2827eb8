import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckContext } from './check-context.js';
import type { InspectedColumn } from './inspected-columns.js';

export interface Observation {
  /** Missing where there is nothing to compare. */
  readonly observed?: number;
  /** What it is made of, or why it is missing: `31 of 50 rows`. */
  readonly detail: string;
}

/** A check that is ready before the rows are read. */
export interface PlannedCheck {
  /** Once they were read. */
  observe(): Observation;
  /** Which rows speak against it, where it is about single ones. */
  readonly culprits?: ViolatingRows;
}

export type ViolatingRows =
  /** Rows of which a condition on these columns is true; the values that are shown are those of `shown`. */
  | { readonly where: string; readonly columns: readonly InspectedColumn[]; readonly shown?: InspectedColumn }
  /** Rows that are there more than once. */
  | 'repeated';

/** Throws `CheckError` where the check cannot be made. */
export type PlanCheck = (sight: CheckContext, rule: ContractRule) => PlannedCheck;

/** How much of a whole. */
export function shareOf(part: number, whole: number, unit: string): Observation {
  return whole === 0
    ? { detail: `there are no ${unit}` }
    : { observed: part / whole, detail: `${part} of ${whole} ${unit}` };
}

export function countOf(count: number, unit: string): Observation {
  return { observed: count, detail: `${count} ${unit}` };
}
