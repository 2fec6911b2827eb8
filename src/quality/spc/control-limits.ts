import type { SigmaMethod } from '../contracts/spc-rule.js';

export interface ControlLimits {
  readonly mean: number;
  readonly stddev: number;
  readonly lowerControl3Sigma: number;
  readonly lowerWarning2Sigma: number;
  readonly upperWarning2Sigma: number;
  readonly upperControl3Sigma: number;
}

/** Mean range of two values of a normal distribution, in standard deviations (d2 for n = 2). */
export const MEAN_RANGE_OF_TWO = 1.128;

/** Requires at least one value. All limits are finite. */
export function computeControlLimits(values: readonly number[], method: SigmaMethod): ControlLimits {
  const mean = meanOf(values);
  return toControlLimits(mean, estimateSigma(values, method));
}

/** Returns 0 for fewer than two values. */
export function estimateSigma(values: readonly number[], method: SigmaMethod): number {
  return values.length < 2 ? 0 : SIGMA_ESTIMATORS[method](values, meanOf(values));
}

export function toControlLimits(mean: number, stddev: number): ControlLimits {
  return {
    mean,
    stddev,
    lowerControl3Sigma: lineAt(mean, stddev, -3),
    lowerWarning2Sigma: lineAt(mean, stddev, -2),
    upperWarning2Sigma: lineAt(mean, stddev, 2),
    upperControl3Sigma: lineAt(mean, stddev, 3),
  };
}

export function lineAt(centre: number, sigma: number, sigmas: number): number {
  return clampFinite(centre + sigmas * sigma);
}

const SIGMA_ESTIMATORS: Readonly<Record<SigmaMethod, (values: readonly number[], mean: number) => number>> = {
  sample_stddev: (values, mean) =>
    clampFinite(Math.hypot(...values.map((value) => value - mean)) / Math.sqrt(values.length - 1)),
  moving_range: (values) => {
    const ranges = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? value)));
    return clampFinite(meanOf(ranges) / MEAN_RANGE_OF_TWO);
  },
};

export function meanOf(values: readonly number[]): number {
  const [first = 0] = values;
  // Prevents a rounding error in the last bit, which would make a constant series seem to vary.
  if (values.every((value) => value === first)) return first;
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  return values.reduce((mean, value) => mean + value / values.length, 0);
}

/** JSON has no infinity. */
export function clampFinite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}
