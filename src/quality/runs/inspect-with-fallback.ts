import { FileNotFoundError, FileStoreError } from '../../kernel/files/file-store.js';
import { inspectRows } from '../checks/inspect-rows.js';
import type { Inspection, InspectionTask } from '../checks/inspection.js';
import { checkDefinitionOf } from '../checks/prepare-check.js';
import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckResult } from '../results/table-quality-result.js';
import type { QualityServices } from './quality-services.js';

/** From this attempt on, rows that cannot be looked at hold up nobody any more. */
const FALLBACK_ATTEMPT = 5;

const INSPECTION_FAILED_MESSAGE = 'The rows could not be looked at; the log has more.';

interface InspectionAttempt extends InspectionTask {
  /** Of the job, from 1. */
  readonly attempt: number;
  /** Under which id the log has what was thrown. */
  readonly reportId: string;
}

/** Like `inspectRows`, but of a late attempt each check is an ERROR where it throws. Throws `FileNotFoundError` and `FileStoreError` ever again: the store will be back; and the reason of the signal. */
export async function inspectWithFallback(
  { inspection, report }: QualityServices,
  look: InspectionAttempt,
): Promise<Inspection> {
  const { rows, expected, signal, attempt, reportId } = look;
  try {
    return await inspectRows(inspection, look);
  } catch (error) {
    signal.throwIfAborted();
    const isOutside = error instanceof FileNotFoundError || error instanceof FileStoreError;
    if (isOutside || attempt < FALLBACK_ATTEMPT) throw error;
    report(error, reportId);
    const checks = expected.rules.map((rule) => erroredCheck(rule, INSPECTION_FAILED_MESSAGE));
    return { checks, values: new Map(), measures: { rows: rows.rows } };
  }
}

/** A check that could not be made. */
export function erroredCheck(rule: ContractRule, message: string): CheckResult {
  return { ...checkDefinitionOf(rule), status: 'ERROR', evidence: { message } };
}
