import { keyWithColumn } from '../contracts/series-key.js';
import type { CheckResult } from './table-quality-result.js';

/**
 * Converts results of earlier versions of the service, which stored `spec.id` without the column, and did not store
 * `column`.
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
