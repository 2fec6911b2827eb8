import { keyWithColumn } from '../contracts/series-key.js';
import { toControlLimits } from '../spc/control-limits.js';
import type { SpcSeries } from '../spc/table-spc-result.js';
import type { CheckResult } from './table-quality-result.js';

/** Earlier versions stored no mean and no limits for a series with fewer than two earlier points. */
export function upgradeSeries(series: readonly SpcSeries[]): SpcSeries[] {
  return series.map((one) => (one.mean === undefined ? { ...one, ...toControlLimits(one.latestValue, 0) } : one));
}

/** Earlier versions stored `spec.id` without the column, and no `column`. */
export function upgradeChecks(checks: readonly CheckResult[]): CheckResult[] {
  return checks.map((check) => {
    const { spec, key } = check;
    const column = key.slice(spec.id.length + 1);
    return spec.id !== key && keyWithColumn(spec.id, column) === key
      ? { ...check, spec: { ...spec, id: key }, column }
      : check;
  });
}
