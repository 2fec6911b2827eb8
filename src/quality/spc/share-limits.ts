import type { SigmaMethod, SpcChartType } from '../contracts/spc-rule.js';
import { binomialSigma, limitSigma } from './binomial-sigma.js';
import { estimateSigma, meanOf } from './control-limits.js';

/** A share of rows, from 0 to 1. */
export interface Share {
  readonly value: number;
  readonly sampleSize: number;
}

export interface ShareLimits {
  readonly chartType: SpcChartType;
  readonly mean: number;
  /** Returns the standard deviation for a run with this number of rows. */
  readonly sigmaOf: (sampleSize: number) => number;
}

/**
 * Quantiles of the normal distribution for 5 % and 99 %. `varyLikeBinomial` compares the variation of the shares with
 * these two quantiles. If the variation is between them, the shares have the limits of a p chart. The benchmark
 * `npm run bench:charts` measures how these quantiles affect false alarms and detection.
 */
const LEAST_VARIATION = -1.645;
const MOST_VARIATION = 2.326;

/**
 * Computes the limits of a p chart (Montgomery, Introduction to Statistical Quality Control). If the shares vary more
 * or less than the binomial distribution predicts, computes the limits of a p′ chart (Laney, Improved control charts
 * for attributes, 2002). A p′ chart multiplies the binomial sigma by the sigma of the standardized shares. In Laney's
 * paper, `method` is `moving_range`. Requires at least one share.
 */
export function computeShareLimits(shares: readonly Share[], method: SigmaMethod): ShareLimits {
  const mean = pooledShare(shares);
  if (mean <= 0 || mean >= 1) return { chartType: 'P', mean, sigmaOf: () => 0 };
  const scores = shares.map(({ value, sampleSize }) => (value - mean) / binomialSigma(mean, sampleSize));
  if (varyLikeBinomial(scores)) return { chartType: 'P', mean, sigmaOf: (size) => limitSigma(mean, size) };
  const ratio = estimateSigma(scores, method);
  const sigmaOf = (size: number): number => {
    const sigma = ratio * binomialSigma(mean, size);
    return ratio < 1 ? sigma : Math.max(sigma, limitSigma(mean, size));
  };
  return { chartType: 'P_PRIME', mean, sigmaOf };
}

export function pooledShare(shares: readonly Share[]): number {
  const [first] = shares;
  if (first === undefined || shares.every(({ value }) => value === first.value))
    return meanOf(shares.map(({ value }) => value));
  const rows = shares.reduce((sum, { sampleSize }) => sum + sampleSize, 0);
  return shares.reduce((sum, { value, sampleSize }) => sum + value * (sampleSize / rows), 0);
}

/**
 * Compares the sum of the squared standardized shares with quantiles of the chi-squared distribution (approximation of
 * Wilson and Hilferty, 1931).
 */
function varyLikeBinomial(scores: readonly number[]): boolean {
  const freedom = scores.length - 1;
  if (freedom === 0) return true;
  const sum = scores.reduce((total, score) => total + score ** 2, 0);
  const spread = 2 / (9 * freedom);
  const [low, high] = [LEAST_VARIATION, MOST_VARIATION].map(
    (quantile) => freedom * Math.max(0, 1 - spread + quantile * Math.sqrt(spread)) ** 3,
  ) as [number, number];
  return sum >= low && sum <= high;
}
