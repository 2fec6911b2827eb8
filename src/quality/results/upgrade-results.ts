import { keyWithColumn } from '../contracts/series-key.js';
import type { CheckResult } from './table-quality-result.js';

/**
 * Adds `column` to results of earlier versions of the service, and the name of the column to their `spec.id`.
 */
export function upgradeChecks(checks: readonly CheckResult[]): CheckResult[] {
  return checks.map((check) => {
    const { spec, key } = check;
    const column = key.slice(spec.id.length + 1);
    return spec.id !== key && keyWithColumn(spec.id, column) === key
      ? { ...check, spec: { ...spec, id: key }, column }
      : check;
  });
}
