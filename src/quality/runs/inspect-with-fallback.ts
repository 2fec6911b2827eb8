import { FileNotFoundError, FileStoreError } from '../../kernel/files/file-store.js';
import { inspectRows } from '../checks/inspect-rows.js';
import type { Inspection, InspectionTask } from '../checks/inspection.js';
import { checkDefinitionOf } from '../checks/prepare-check.js';
import type { ContractRule } from '../contracts/table-contract.js';
import type { CheckResult } from '../results/table-quality-result.js';
import type { QualityServices } from './quality-services.js';

/**
 * From this attempt on, the service loads rows even if it cannot check them, so that they do not block ingestion
 * indefinitely.
 */
const FALLBACK_ATTEMPT = 5;

const INSPECTION_FAILED_MESSAGE = 'The service could not check the rows. The log of the service contains the error.';

interface InspectionAttempt extends InspectionTask {
  readonly attempt: number;
  readonly reportId: string;
}

/**
 * Like `inspectRows`, but from `FALLBACK_ATTEMPT` on, it returns ERROR for each check instead of throwing. It always
 * throws `FileNotFoundError`, `FileStoreError` and the abort reason of the signal, because a later attempt can succeed.
 */
export async function inspectWithFallback(
  { inspection, report }: QualityServices,
  task: InspectionAttempt,
): Promise<Inspection> {
  const { rows, expected, signal, attempt, reportId } = task;
  try {
    return await inspectRows(inspection, task);
  } catch (error) {
    signal.throwIfAborted();
    const isStoreFault = error instanceof FileNotFoundError || error instanceof FileStoreError;
    if (isStoreFault || attempt < FALLBACK_ATTEMPT) throw error;
    report(error, reportId);
    const checks = expected.rules.map((rule) => erroredCheck(rule, INSPECTION_FAILED_MESSAGE));
    return { checks, values: new Map(), measures: { rows: rows.rows } };
  }
}

export function erroredCheck(rule: ContractRule, message: string): CheckResult {
  return { ...checkDefinitionOf(rule), status: 'ERROR', evidence: { message } };
}
