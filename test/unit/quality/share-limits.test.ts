import { describe, expect, it } from 'vitest';
import { limitSigma } from '../../../src/quality/spc/binomial-sigma.js';
import { toControlLimits } from '../../../src/quality/spc/control-limits.js';
import { evaluateSeries, type SpcEvaluation } from '../../../src/quality/spc/evaluate-series.js';
import type { SpcPoint } from '../../../src/quality/spc/find-process-level.js';
import { computeShareLimits, pooledShare, type Share } from '../../../src/quality/spc/share-limits.js';
import { evaluateSample, spcSettings, violatedRulesOf } from '../../support/quality/evaluated-series.js';
import {
  ADJUSTED_ORANGE_JUICE,
  EMERGENCIES,
  ORANGE_JUICE,
  PEACHES,
  REVISED_ORANGE_JUICE,
} from '../../support/quality/share-examples.js';

/** The fixtures have 13 decimal places. */
const NEAR = 1e-12;

const sharesOf = (counts: readonly (readonly [number, number])[]): Share[] =>
  counts.map(([count, sampleSize]) => ({ value: count / sampleSize, sampleSize }));

const shares = (counts: readonly number[], size: number) => sharesOf(counts.map((count) => [count, size] as const));

const evaluate = (history: readonly SpcPoint[], [count, sampleSize]: readonly [number, number], settings = {}) =>
  evaluateSeries(history, { value: count / sampleSize, sampleSize }, spcSettings(settings));

const limitsIn = ({ mean, lowerControl3Sigma, upperControl3Sigma }: SpcEvaluation) => [
  mean,
  lowerControl3Sigma,
  upperControl3Sigma,
];

function expectNear(found: readonly number[], expected: readonly number[]) {
  expect(found.map((number, at) => Math.abs(number - (expected[at] ?? Number.NaN)) <= NEAR)).toEqual(
    expected.map(() => true),
  );
}

/** Counts that are plausible for a binomial distribution with a mean of 2 %. */
const TWO_PERCENT = shares([20, 16, 25, 18, 22, 14, 21, 27, 19, 17, 23, 15, 24, 20, 18, 22, 19, 21, 16, 23], 1_000);

describe('p limits', () => {
  it.each([
    ['the orange juice of Montgomery', ORANGE_JUICE],
    ['its revised limits', REVISED_ORANGE_JUICE],
  ])('equal the published limits: %s', (_, { counts, mean, lower, upper, beyond, printed }) => {
    const limits = toControlLimits(pooledShare(sharesOf(counts)), limitSigma(mean, 50));
    const found = { mean: limits.mean, lower: limits.lowerControl3Sigma, upper: limits.upperControl3Sigma };
    expectNear(Object.values(found), [mean, lower, upper]);
    expect(Object.values(found).map((number) => number.toFixed(4))).toEqual(Object.values(printed));
    const outside = sharesOf(counts).flatMap(({ value }, at) =>
      value > found.upper || value < found.lower ? [at] : [],
    );
    expect(outside).toEqual(beyond);
  });

  it('apply to shares that vary as the binomial distribution predicts', () => {
    const { counts, mean, lower, upper } = ADJUSTED_ORANGE_JUICE;
    const evaluation = evaluate(sharesOf(counts), [12, 50]);
    expect(evaluation).toMatchObject({ chartType: 'P', sampleSize: 50, status: 'WARNING' });
    expectNear(limitsIn(evaluation), [mean, lower, upper]);
    expect(evaluate(sharesOf(counts), [13, 50])).toMatchObject({ status: 'OUT_OF_CONTROL', beyond: 'above' });
  });

  it.each(PEACHES.limitsBySize)('of %i rows: each point has limits for its number of rows', (size, lower, upper) => {
    const evaluation = evaluate(sharesOf(PEACHES.counts), [0.19 * size, size]);
    expect(evaluation).toMatchObject({ chartType: 'P', status: 'IN_BOUNDS' });
    expectNear(limitsIn(evaluation), [PEACHES.mean, lower, upper]);
  });

  it('find a share that is normal for few rows and an outlier for many rows', () => {
    expect(evaluate(TWO_PERCENT, [2, 50]).status).toBe('IN_BOUNDS');
    expect(evaluate(TWO_PERCENT, [80, 2_000]).status).toBe('OUT_OF_CONTROL');
    expect(
      evaluateSample(
        TWO_PERCENT.map(({ value }) => value),
        0.04,
      ).chartType,
    ).toBe('INDIVIDUALS');
  });

  it('apply to earlier points with their own number of rows', () => {
    // 3 % is beyond 2 sigma for 1,000 rows, but not for 200 rows.
    const history = (size: number) => [
      ...TWO_PERCENT,
      ...sharesOf([
        [0.03 * size, size],
        [20, 1_000],
      ]),
    ];
    const rules = (size: number) => violatedRulesOf(evaluate(history(size), [30, 1_000], { windowSize: 20 }));
    expect(rules(1_000)).toContain('NELSON_5');
    expect(rules(200)).not.toContain('NELSON_5');
  });

  it('weigh each run by its rows', () => {
    const history = [
      ...TWO_PERCENT,
      ...sharesOf([
        [0, 10],
        [0, 10],
      ]),
    ];
    expect(evaluate(history, [20, 1_000]).mean).toBeCloseTo(400 / 20_020, 12);
  });

  it('have at most 1 % of in-control points beyond them, for any number of rows', () => {
    for (const mean of [0.0005, 0.005, 0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.995])
      for (const size of [1, 2, 3, 5, 7, 10, 20, 33, 50, 75, 100, 150, 200, 500, 2_000])
        expect([mean, size, shareBeyond(mean, size) <= 0.01]).toEqual([mean, size, true]);
  });

  it('of few rows are wide enough for a single null', () => {
    expect(evaluate(TWO_PERCENT, [1, 1])).toMatchObject({ status: 'IN_BOUNDS', chartType: 'P' });
    expect(evaluate(TWO_PERCENT, [2, 2]).status).toBe('OUT_OF_CONTROL');
  });
});

describe('p′ limits', () => {
  it.each(EMERGENCIES.limitsBySize)('of %i rows equal the limits by Laney', (size, lower, upper) => {
    const { mean, chartType, sigmaOf } = computeShareLimits(sharesOf(EMERGENCIES.counts), 'moving_range');
    expect(chartType).toBe('P_PRIME');
    expectNear([mean, mean - 3 * sigmaOf(size), mean + 3 * sigmaOf(size)], [EMERGENCIES.mean, lower, upper]);
    expect(sigmaOf(size) / limitSigma(mean, size)).toBeCloseTo(EMERGENCIES.ratio, 10);
  });

  it.each(['sample_stddev', 'moving_range'] as const)(
    'of equal numbers of rows equal the limits of an individuals chart (%s)',
    (sigmaMethod) => {
      for (const counts of [
        [5, 40, 12, 33, 8, 25, 3, 38, 20, 10, 31, 7, 22, 36],
        [100, 101, 100, 99, 100, 101, 100, 99, 100, 100, 101, 100, 99, 100],
      ]) {
        const history = shares(counts, 1_000);
        const evaluation = evaluate(history, [19, 1_000], { sigmaMethod });
        const individuals = evaluateSample(
          history.map(({ value }) => value),
          0.019,
          { sigmaMethod },
        );
        expect(evaluation.chartType).toBe('P_PRIME');
        expect(evaluation.status).toBe(individuals.status);
        expectNear(limitsIn(evaluation), limitsIn(individuals));
      }
    },
  );

  it('are never narrower than p limits for few rows, if shares vary more than the binomial distribution predicts', () => {
    const { mean, chartType, sigmaOf } = computeShareLimits(
      shares([1, 11, 2, 10, 6, 12, 2, 9, 5, 1, 11, 3], 1_000),
      'sample_stddev',
    );
    expect(chartType).toBe('P_PRIME');
    expect(sigmaOf(10)).toBe(limitSigma(mean, 10));
    expect(sigmaOf(1_000)).toBeGreaterThan(limitSigma(mean, 1_000));
  });
});

describe('limits of shares', () => {
  it('are the limits of an individuals chart until enough earlier points have a number of rows', () => {
    const old = TWO_PERCENT.map(({ value }) => ({ value: value + 0.1 }));
    const typeAfter = (count: number) => evaluate([...old, ...TWO_PERCENT.slice(0, count)], [20, 1_000]).chartType;
    expect([typeAfter(0), typeAfter(13), typeAfter(14)]).toEqual(['INDIVIDUALS', 'INDIVIDUALS', 'P']);
    expect(evaluate([...old, ...TWO_PERCENT], [20, 1_000], { windowSize: 40 }).mean).toBeCloseTo(0.02, 12);
    expect(evaluateSeries(TWO_PERCENT, { value: 0.02 }, spcSettings()).chartType).toBe('INDIVIDUALS');
  });

  it.each([0, 1])('equal the share if all shares are %i', (share) => {
    const evaluation = evaluate(shares(Array(20).fill(100 * share), 100), [100 * share, 100]);
    expect(evaluation).toMatchObject({ mean: share, stddev: 0, status: 'IN_BOUNDS', violations: [] });
    expect(evaluate(shares(Array(20).fill(0), 100), [1, 100])).toMatchObject({ status: 'WARNING', stddev: 0 });
  });

  it('of a share that never changed, such as the share of unchanged rows, report a change', () => {
    expect(violatedRulesOf(evaluate(shares(Array(20).fill(13), 1_000), [14, 1_000]))).toEqual(['ZERO_VARIANCE_CHANGE']);
  });

  it('restart with the third consecutive share beyond them', () => {
    const high = { value: 0.06, sampleSize: 1_000, beyond: 'above' as const };
    const third = evaluate([...TWO_PERCENT, high, high], [60, 1_000]);
    expect(third.violations[0]?.description).toContain('third consecutive run');
    expect(evaluate([...TWO_PERCENT, high, high, high], [60, 1_000])).toMatchObject({
      ...{ mean: 0.06, status: 'INSUFFICIENT_HISTORY' },
    });
  });
});

/** Returns the probability that a share of `size` rows is beyond 3 sigma by chance. */
function shareBeyond(mean: number, size: number): number {
  const { lowerControl3Sigma, upperControl3Sigma } = toControlLimits(mean, limitSigma(mean, size));
  let probability = Math.exp(size * Math.log1p(-mean));
  let beyond = 0;
  for (let count = 0; count <= size; count++) {
    if (count / size > upperControl3Sigma || count / size < lowerControl3Sigma) beyond += probability;
    probability *= ((size - count) / (count + 1)) * (mean / (1 - mean));
  }
  return beyond;
}
