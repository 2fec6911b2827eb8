import { keyWithColumn } from '../contracts/series-key.js';
import { toControlLimits } from '../spc/control-limits.js';
import type { SpcSeries } from '../spc/table-spc-result.js';
import type { CheckResult } from './table-quality-result.js';

/** Fills what results lack that were stored by earlier versions. */

/** A series without two points before the latest had neither mean nor limits. */
export function upgradeSeries(series: readonly SpcSeries[]): SpcSeries[] {
  return series.map((one) => (one.mean === undefined ? { ...one, ...toControlLimits(one.latestValue, 0) } : one));
}

/** `spec.id` was the same for each column, and no check named its column. */
export function upgradeChecks(checks: readonly CheckResult[]): CheckResult[] {
  return checks.map((check) => {
    const { spec, key } = check;
    const column = key.slice(spec.id.length + 1);
    return spec.id !== key && keyWithColumn(spec.id, column) === key
      ? { ...check, spec: { ...spec, id: key }, column }
      : check;
  });
}
