/** Minimum share of in-control points within the 3-sigma limits. */
const LEAST_COVERAGE = 0.99;

/**
 * With at least this number of expected counted rows, the 3-sigma limits of the binomial distribution include at least
 * the share `LEAST_COVERAGE` of the in-control points. For a null rate, the nulls are the counted rows.
 */
const MANY_ROWS = 10;

/** Returns the standard deviation of a share of `size` rows, if each row is counted with the probability `mean`. */
export function binomialSigma(mean: number, size: number): number {
  return Math.sqrt((mean * (1 - mean)) / size);
}

/**
 * Like `binomialSigma`, but can be larger if few counted rows are expected, so that at most 1 % of in-control points
 * are beyond 3 sigma. For example, with a mean of 0.5 % and 10 rows per run, 5 % of the runs contain a counted row. One
 * such row already exceeds 3 times `binomialSigma`.
 */
export function limitSigma(mean: number, size: number): number {
  const sigma = binomialSigma(mean, size);
  const rare = Math.min(mean, 1 - mean);
  if (rare <= 0 || rare * size >= MANY_ROWS) return sigma;
  const count = binomialQuantile(rare, size, LEAST_COVERAGE);
  // Puts the limit half a row above the count, so that no rounding error moves the count across the limit.
  return Math.floor((rare + 3 * sigma) * size) >= count ? sigma : ((count + 0.5) / size - rare) / 3;
}

/** Returns the smallest `n` for which the probability of at most `n` counted rows is at least `probability`. */
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
