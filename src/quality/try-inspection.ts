import { FileMissing, StoringFailed } from '../kernel/file-store.js';
import { inspectRows } from './inspect-rows.js';
import type { Inspection, InspectionTask } from './inspection.js';
import { outlineOf } from './judge-check.js';
import type { QualityParts } from './quality-context.js';
import type { ContractRule } from './table-contract.js';
import type { CheckResult } from './table-quality-result.js';

/** From this attempt on, rows that cannot be looked at hold up nobody any more. */
const LAST_ATTEMPT = 5;

const UNSEEN = 'The rows could not be looked at; the log has more.';

interface Look extends InspectionTask {
  /** Of the job, from 1. */
  readonly attempt: number;
  /** Under which id the log has what was thrown. */
  readonly reportId: string;
}

/** Like `inspectRows`, but of a late attempt each check is an ERROR where it throws. Throws `FileMissing` and `StoringFailed` ever again: the store will be back; and the reason of the signal. */
export async function tryInspection({ inspection, report }: QualityParts, look: Look): Promise<Inspection> {
  const { rows, expected, signal, attempt, reportId } = look;
  try {
    return await inspectRows(inspection, look);
  } catch (error) {
    signal.throwIfAborted();
    const isOutside = error instanceof FileMissing || error instanceof StoringFailed;
    if (isOutside || attempt < LAST_ATTEMPT) throw error;
    report(error, reportId);
    const checks = expected.rules.map((rule) => errorOf(rule, UNSEEN));
    return { checks, values: new Map(), measures: { rows: rows.rows } };
  }
}

/** A check that could not be made. */
export function errorOf(rule: ContractRule, message: string): CheckResult {
  return { ...outlineOf(rule), status: 'ERROR', evidence: { message } };
}
