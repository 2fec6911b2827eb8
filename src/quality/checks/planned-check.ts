import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckContext } from './check-context.js';
import type { InspectedColumn } from './inspected-columns.js';

export interface Observation {
  /** Undefined if there is no value to compare. */
  readonly observed?: number;
  /** Explains the value, such as `31 of 50 rows`, or why it is undefined. */
  readonly detail: string;
}

export interface PlannedCheck {
  /** Callers must scan the rows first. */
  observe(): Observation;
  /** Undefined for checks that do not concern single rows. */
  readonly violatingRows?: ViolatingRows;
}

export type ViolatingRows =
  /**
   * Rows that match the SQL condition `where`, which uses `columns`. The evidence contains values of the column
   * `shown`.
   */
  | { readonly where: string; readonly columns: readonly InspectedColumn[]; readonly shown?: InspectedColumn }
  | 'repeated';

/** Throws `CheckError` if the check cannot run. */
export type PlanCheck = (context: CheckContext, rule: ContractRule) => PlannedCheck;

export function shareOf(part: number, whole: number, unit: string): Observation {
  return whole === 0 ? { detail: `no ${unit}` } : { observed: part / whole, detail: `${part} of ${whole} ${unit}` };
}

export function countOf(count: number, unit: string): Observation {
  return { observed: count, detail: `${count} ${unit}` };
}
