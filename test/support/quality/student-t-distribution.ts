const STEPS = 4_000;

/** Probability that Student's t exceeds `t`, by Simpson's rule over its density from 0 to `t`. */
export function studentTTailProbability(t: number, freedom: number): number {
  const density = (x: number) => (1 + x ** 2 / freedom) ** (-(freedom + 1) / 2);
  const width = t / STEPS;
  let sum = density(0) + density(t);
  for (let step = 1; step < STEPS; step++) sum += (step % 2 === 1 ? 4 : 2) * density(step * width);
  return 0.5 - (densityAtZero(freedom) * sum * width) / 3;
}

/**
 * Gamma((n + 1) / 2) / (sqrt(n pi) Gamma(n / 2)): 1 / pi for n = 1, 1 / (2 sqrt 2) for n = 2, others recursively from n
 * - 2.
 */
function densityAtZero(freedom: number): number {
  if (freedom === 1) return 1 / Math.PI;
  if (freedom === 2) return 1 / (2 * Math.SQRT2);
  return densityAtZero(freedom - 2) * ((freedom - 1) / Math.sqrt(freedom * (freedom - 2)));
}
