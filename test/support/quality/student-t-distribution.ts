const STEPS = 4_000;

/** Returns the probability that Student's t exceeds `t`, from the integral of its density (Simpson's rule). */
export function studentTTailProbability(t: number, freedom: number): number {
  const density = (x: number) => (1 + x ** 2 / freedom) ** (-(freedom + 1) / 2);
  const width = t / STEPS;
  let sum = density(0) + density(t);
  for (let step = 1; step < STEPS; step++) sum += (step % 2 === 1 ? 4 : 2) * density(step * width);
  return 0.5 - (densityAtZero(freedom) * sum * width) / 3;
}

/**
 * Returns Gamma((n + 1) / 2) / (sqrt(n pi) Gamma(n / 2)). The value is 1 / pi for n = 1 and 1 / (2 sqrt 2) for n = 2.
 * For larger n, it follows recursively from the value for n - 2.
 */
function densityAtZero(freedom: number): number {
  if (freedom === 1) return 1 / Math.PI;
  if (freedom === 2) return 1 / (2 * Math.SQRT2);
  return densityAtZero(freedom - 2) * ((freedom - 1) / Math.sqrt(freedom * (freedom - 2)));
}
