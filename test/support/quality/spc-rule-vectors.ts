import type { SpcRule } from '../../../src/quality/contracts/spc-rule.js';

export interface RuleVector {
  readonly name: string;
  readonly values: readonly number[];
  /** Maps each rule to the positions of the last points of its matches. Rules that are not listed match nowhere. */
  readonly hits: Readonly<Partial<Record<SpcRule, readonly number[]>>>;
}

/**
 * Boundary cases of the rules, with centre 0 and sigma 1. Verified with the R package Rspc 1.2.2. Unlike `NELSON_8`,
 * rule 8 of Rspc also matches if all points are on one side of the centre.
 */
export const CONSTRUCTED_VECTORS: readonly RuleVector[] = [
  { name: 'a point beyond 3 sigma', values: [0.2, -0.4, 3.01, 0.1], hits: { NELSON_1: [2] } },
  {
    name: 'nine above the centre',
    values: [0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.4, 0.2, 0.1],
    hits: { NELSON_2: [8], WECO_4: [7, 8] },
  },
  { name: 'a point on the centre ends a run', values: [0.1, 0.2, 0.1, 0.3, 0, 0.1, 0.4, 0.2, 0.1], hits: {} },
  { name: 'a trend of five', values: [-0.5, -0.3, -0.1, 0.1, 0.3, 0.2], hits: {} },
  {
    name: 'fourteen that alternate',
    values: [0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1],
    hits: { NELSON_4: [13] },
  },
  { name: 'two of three beyond 2 sigma', values: [2.1, 0, 2.2], hits: { NELSON_5: [2] } },
  { name: 'two beyond 2 sigma, then one within: reported once', values: [2.1, 2.2, 0], hits: { NELSON_5: [1] } },
  {
    name: 'the first four beyond 1 sigma: four of five, regardless of the next point',
    values: [1.5, 1.2, 1.4, 1.1, 0],
    hits: { NELSON_6: [3] },
  },
  { name: 'four of five beyond 1 sigma, not on one side', values: [1.1, 1.2, -1.5, -1.3, 1.4], hits: {} },
  {
    name: 'fourteen within 1 sigma',
    values: [0.1, -0.2, 0.3, -0.1, 0.2, 0.3, -0.3, 0.1, 0.2, -0.1, 0.3, 0.1, -0.2, 0.2],
    hits: {},
  },
  {
    name: 'eight outside 1 sigma, all on one side: a run, not rule 8',
    values: [1.5, 1.4, 1.2, 1.6, 1.3, 1.1, 1.2, 1.4],
    hits: { NELSON_6: [3, 4, 5, 6, 7], WECO_4: [7] },
  },
];

/**
 * Series from the tests of d3-nelson-rules (MIT, 53seven/d3-nelson-rules, b1ebd5b). Unlike in that package, a point on
 * a sigma line does not count as beyond the line.
 */
export const D3_VECTORS: readonly RuleVector[] = [
  {
    name: 'five rising points, three of them within',
    values: [1, 2, 3, 4, 5],
    hits: { NELSON_1: [3, 4], NELSON_5: [3, 4], NELSON_6: [4] },
  },
  { name: 'points on the 2-sigma line', values: [2, 1, 2], hits: {} },
  { name: 'points on the 2-sigma and 1-sigma lines', values: [2, 1, 2, 0, 1.5], hits: {} },
  { name: 'points on and beyond the 1-sigma line', values: [0, 1, 0, 1, 1, 2, 1, 1, 0, 1, 0, 1, 0, 1, 0], hits: {} },
  {
    name: 'points within 1 sigma among those outside',
    values: [2, 0, 2, -4, 6, 0, 7, 2],
    hits: { NELSON_1: [3, 4, 6], NELSON_5: [6] },
  },
];
