/** Minimum share of in-control points within the 3-sigma limits. */
const LEAST_COVERAGE = 0.99;

/**
 * If a run is expected to have at least this number of counted rows, more than 99 % of the in-control points
 * (`LEAST_COVERAGE`) are within the 3-sigma limits of the binomial distribution.
 */
const MANY_ROWS = 10;

/** Returns the standard deviation of a share of `size` rows, if each row is counted with the probability `mean`. */
export function binomialSigma(mean: number, size: number): number {
  return Math.sqrt((mean * (1 - mean)) / size);
}

/**
 * Like `binomialSigma`, but can be larger if few counted rows are expected, so that at most 1 % of in-control points
 * are beyond 3 sigma. For example, suppose that the mean of a series is 0.5 % and each run has 10 rows. A counted row
 * occurs in 5 % of these runs, and even one counted row is beyond 3 times `binomialSigma`.
 */
export function limitSigma(mean: number, size: number): number {
  const sigma = binomialSigma(mean, size);
  const rare = Math.min(mean, 1 - mean);
  if (rare <= 0 || rare * size >= MANY_ROWS) return sigma;
  const count = binomialQuantile(rare, size, LEAST_COVERAGE);
  // Puts the limit half a row above the count, so that no rounding error moves the count across the limit.
  return Math.floor((rare + 3 * sigma) * size) >= count ? sigma : ((count + 0.5) / size - rare) / 3;
}

/** Returns the smallest `n` for which a run has at most `n` counted rows with at least this probability. */
function binomialQuantile(mean: number, size: number, probability: number): number {
  let count = 0;
  let ofCount = Math.exp(size * Math.log1p(-mean));
  let upToCount = ofCount;
  while (upToCount < probability && count < size) {
    ofCount *= ((size - count) / (count + 1)) * (mean / (1 - mean));
    count++;
    upToCount += ofCount;
  }
  return count;
}
