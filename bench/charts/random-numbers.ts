import { seededRandom } from '../support/seeded-random.js';

const random = seededRandom(2026);

export function logUniform(low: number, high: number): number {
  return low * (high / low) ** random();
}

/** Box–Muller transform. */
export function normal(mean: number, sigma: number): number {
  return mean + sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Returns the number of matching rows among `size` rows. Each row matches with the probability `mean`. */
export function binomial(size: number, mean: number): number {
  let count = 0;
  // Visits only the matching rows.
  for (let row = Math.floor(jump(mean)); row < size; row += 1 + Math.floor(jump(mean))) count++;
  return count;
}

function jump(mean: number): number {
  return Math.log(1 - random()) / Math.log1p(-mean);
}
