import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckContext } from './check-context.js';
import type { InspectedColumn } from './inspected-columns.js';

export interface Observation {
  /** Observed value; undefined if there is no value to compare with. */
  readonly observed?: number;
  /** How the value was computed, such as `31 of 50 rows`, or why it is undefined. */
  readonly detail: string;
}

/** A check that has requested its aggregates. */
export interface PlannedCheck {
  /** Call only after the rows were scanned. */
  observe(): Observation;
  /** Selects the rows that violate the check, if it concerns single rows. */
  readonly violatingRows?: ViolatingRows;
}

export type ViolatingRows =
  /** Rows that match the condition on these columns. Evidence shows values of `shown`. */
  | { readonly where: string; readonly columns: readonly InspectedColumn[]; readonly shown?: InspectedColumn }
  /** Duplicate rows. */
  | 'repeated';

/** Throws `CheckError` if the check cannot run. */
export type PlanCheck = (context: CheckContext, rule: ContractRule) => PlannedCheck;

export function shareOf(part: number, whole: number, unit: string): Observation {
  return whole === 0 ? { detail: `no ${unit}` } : { observed: part / whole, detail: `${part} of ${whole} ${unit}` };
}

export function countOf(count: number, unit: string): Observation {
  return { observed: count, detail: `${count} ${unit}` };
}
