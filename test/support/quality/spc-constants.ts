import type { SpcRule } from '../../../src/quality/contracts/spc-rule.js';

/** Mean range of n values of a normal distribution, in standard deviations. Textbooks on control charts call it d2. */
export const D2 = { 2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326, 6: 2.534, 7: 2.704, 8: 2.847, 9: 2.97, 10: 3.078 } as const;

/**
 * Share of points beyond 3 sigma in an in-control series, from Student's t distribution. The limits follow from
 * `count` earlier points.
 */
export const FALSE_ALARMS: readonly [count: number, share: number][] = [
  [5, 0.052],
  [7, 0.0309],
  [8, 0.0255],
  [10, 0.0188],
  [14, 0.0124],
  [20, 0.0086],
  [25, 0.0071],
  [30, 0.0062],
  [50, 0.0046],
  [100, 0.0036],
];

/**
 * Maximum distance of a point from the mean, in sigmas, if the point is one of the `count` points that determine mean
 * and sigma.
 */
export const FARTHEST_INCLUDED: readonly [count: number, sigmas: number][] = [
  [5, 1.789],
  [7, 2.268],
  [8, 2.475],
  [10, 2.846],
  [14, 3.474],
  [20, 4.249],
  [30, 5.295],
];

interface RunLength {
  readonly rules: readonly SpcRule[];
  readonly points: number;
}

/**
 * Average number of points of an in-control process until the first violation, from 4,000 simulated runs. Published
 * values are 370.4 for the first rule (theory) and 91.75 for the four Western Electric rules (Champ and Woodall,
 * 1987).
 */
export const RUN_LENGTHS: readonly RunLength[] = [
  { rules: ['NELSON_1'], points: 377.5 },
  { rules: ['NELSON_1', 'NELSON_2'], points: 225.2 },
  { rules: ['NELSON_1', 'NELSON_2', 'NELSON_3', 'NELSON_4'], points: 121 },
  { rules: ['NELSON_1', 'NELSON_5', 'NELSON_6', 'WECO_4'], points: 92.5 },
  { rules: ['NELSON_1', 'NELSON_2', 'NELSON_3', 'NELSON_5', 'NELSON_6'], points: 90.8 },
  {
    rules: ['NELSON_1', 'NELSON_2', 'NELSON_3', 'NELSON_4', 'NELSON_5', 'NELSON_6', 'NELSON_7', 'NELSON_8'],
    points: 74.2,
  },
];
