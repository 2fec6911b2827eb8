import type { SigmaMethod, SpcChartType } from '../contracts/spc-rule.js';
import { type ControlLimits, computeControlLimits, toControlLimits } from './control-limits.js';
import type { SeriesValue } from './series-value.js';
import { computeShareLimits, type Share } from './share-limits.js';

export interface LimitSettings {
  /** Minimum number of earlier points. At least 2, because a single point has no deviation. */
  readonly minHistoryForViolation: number;
  readonly sigmaMethod: SigmaMethod;
}

export interface FittedLimits {
  readonly chartType: SpcChartType;
  readonly limits: ControlLimits;
  readonly sigmaOf: (earlier: SeriesValue) => number;
}

/**
 * Uses a chart for shares if the latest value and at least `minHistoryForViolation` earlier values have a `sampleSize`.
 * Otherwise, uses an individuals chart. Only shares have a `sampleSize`, and earlier versions of the service did not
 * store it.
 */
export function fitLimits(
  earlier: readonly SeriesValue[],
  latest: SeriesValue,
  { minHistoryForViolation, sigmaMethod }: LimitSettings,
): FittedLimits {
  const shares = earlier.filter(isShare);
  if (isShare(latest) && shares.length >= minHistoryForViolation) {
    const { chartType, mean, sigmaOf } = computeShareLimits(shares, sigmaMethod);
    return {
      chartType,
      limits: toControlLimits(mean, sigmaOf(latest.sampleSize)),
      sigmaOf: ({ sampleSize = latest.sampleSize }) => sigmaOf(sampleSize),
    };
  }
  const values = (earlier.length > 0 ? earlier : [latest]).map(({ value }) => value);
  const limits = computeControlLimits(values, sigmaMethod);
  return { chartType: 'INDIVIDUALS', limits, sigmaOf: () => limits.stddev };
}

function isShare(value: SeriesValue): value is Share {
  return value.sampleSize !== undefined;
}
