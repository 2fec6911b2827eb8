/** Minimum share of in-control points within the 3-sigma limits. */
const LEAST_COVERAGE = 0.99;

/**
 * From this number of expected rows, the 3-sigma limits of the binomial distribution contain more than the share
 * `LEAST_COVERAGE`.
 */
const MANY_ROWS = 10;

/** Returns the standard deviation of a share of `size` rows, if each row is counted with the probability `mean`. */
export function binomialSigma(mean: number, size: number): number {
  return Math.sqrt((mean * (1 - mean)) / size);
}

/**
 * Like `binomialSigma`, but at most 1 % of in-control points are beyond 3 sigma, even if few rows are expected. For
 * example, with a mean of 0.5 %, a single counted row among 10 is beyond 3 times `binomialSigma`, although 5 % of runs
 * have such a row.
 */
export function limitSigma(mean: number, size: number): number {
  const sigma = binomialSigma(mean, size);
  const rare = Math.min(mean, 1 - mean);
  if (rare <= 0 || rare * size >= MANY_ROWS) return sigma;
  const count = binomialQuantile(rare, size, LEAST_COVERAGE);
  // Puts the limit half a row above the count, so that no rounding error moves the count across the limit.
  return Math.floor((rare + 3 * sigma) * size) >= count ? sigma : ((count + 0.5) / size - rare) / 3;
}

/** Returns the smallest `n` such that, with at least the given probability, at most `n` rows of a run are counted. */
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
