import { describe, expect, it } from 'vitest';
import type { SpcRule } from '../../../src/quality/contracts/spc-rule.js';
import { computeControlLimits, MEAN_RANGE_OF_TWO } from '../../../src/quality/spc/control-limits.js';
import { findHits, PATTERN_RULES } from '../../../src/quality/spc/detect-violations.js';
import { PointsWithLimits, pointBeyond, runOnOneSide } from '../../../src/quality/spc/spc-patterns.js';
import { computeTrendSlope } from '../../../src/quality/spc/trend-slope.js';
import { seededRandom } from '../../support/csv/random-csv.js';
import { evaluateSample, violatedRulesOf } from '../../support/quality/evaluated-series.js';
import { D2, FALSE_ALARMS, FARTHEST_INCLUDED, RUN_LENGTHS } from '../../support/quality/spc-constants.js';
import { INDIVIDUALS, NIST_PUBLISHED, PISTON_RINGS, SERVICE_EXAMPLES } from '../../support/quality/spc-examples.js';
import { CONSTRUCTED_VECTORS, D3_VECTORS } from '../../support/quality/spc-rule-vectors.js';
import { studentTTailProbability } from '../../support/quality/student-t-distribution.js';
import { atScale } from '../../support/soak.js';

const SIMULATIONS = atScale(120, 1_200);
/** The mean of `SIMULATIONS` series has a standard deviation of 9 % (3 % in the soak test). */
const TOLERANCE = atScale(0.25, 0.08);

/** The fixtures have ten decimal places. */
const NEAR = 1e-9;

function expectNear(found: object | undefined, expected: object) {
  const foundNumbers = found as Record<string, number>;
  for (const [name, value] of Object.entries(expected))
    expect([name, Math.abs((foundNumbers[name] ?? Number.NaN) - value) <= NEAR]).toEqual([name, true]);
}

function allHits(points: PointsWithLimits): Partial<Record<SpcRule, number[]>> {
  const found = PATTERN_RULES.filter(({ ruleId }) => ruleId !== 'WARNING_2_SIGMA').map(
    ({ ruleId, find }) => [ruleId, findHits(find, points)] as const,
  );
  return Object.fromEntries(found.filter(([, positions]) => positions.length > 0));
}

describe.each(INDIVIDUALS)('$name', ({ values, mean, movingRangeMean, bySampleStddev, byMovingRange, ...example }) => {
  it('has the published limits with the standard deviation, and no violation', () => {
    const limits = computeControlLimits(values, 'sample_stddev');
    expectNear(limits, { mean, ...bySampleStddev });
    expect(allHits(new PointsWithLimits(values, limits?.mean ?? 0, limits?.stddev ?? 0))).toEqual({});
  });

  it('has the published limits with the moving range, and no violation', () => {
    const limits = computeControlLimits(values, 'moving_range');
    expectNear(limits, { mean, ...byMovingRange });
    expect(allHits(new PointsWithLimits(values, limits?.mean ?? 0, limits?.stddev ?? 0))).toEqual({});
    expectNear({ movingRangeMean: (limits?.stddev ?? 0) * MEAN_RANGE_OF_TWO }, { movingRangeMean });
  });

  it('has the published slope', () => {
    expectNear({ slope: computeTrendSlope(values.map((value, at) => ({ at, value }))) }, { slope: example.trendSlope });
  });
});

it('the limits equal the limits printed in the handbook', () => {
  const limits = computeControlLimits(INDIVIDUALS[0]?.values ?? [], 'moving_range');
  for (const name of ['mean', 'lowerControl3Sigma', 'upperControl3Sigma'] as const)
    expect(limits?.[name].toFixed(4)).toBe(NIST_PUBLISHED[name].toFixed(4));
});

it('piston rings violate the limits and the run rule at the points that qcc reports', () => {
  const { values, centre, sigma, beyondLimits, runLength, runs } = PISTON_RINGS;
  const points = new PointsWithLimits(values, centre, sigma);
  expect(findHits(pointBeyond(3), points)).toEqual(beyondLimits);
  expect(findHits(runOnOneSide(runLength), points)).toEqual(runs);
  expectNear({ low: centre - 3 * sigma }, { low: PISTON_RINGS.lowerControl3Sigma });
  expectNear({ high: centre + 3 * sigma }, { high: PISTON_RINGS.upperControl3Sigma });
});

describe('rules over a whole series', () => {
  it.each(CONSTRUCTED_VECTORS)('constructed: $name', ({ values, hits: expected }) => {
    expect(allHits(new PointsWithLimits(values, 0, 1))).toEqual(expected);
  });

  it.each(D3_VECTORS)('from d3-nelson-rules: $name', ({ values, hits: expected }) => {
    expect(allHits(new PointsWithLimits(values, 0, 1))).toEqual(expected);
  });
});

describe('a series of the service', () => {
  it.each(SERVICE_EXAMPLES)('$name', ({ name, history, latestValue, status, rules, ...numbers }) => {
    const evaluation = evaluateSample(history, latestValue, { windowSize: 20, minHistoryForViolation: 8 });
    expect([evaluation.status, violatedRulesOf(evaluation)]).toEqual([status, rules]);
    expectNear(evaluation, numbers);
  });
});

describe('constants', () => {
  it('the moving range is divided by d2 of two values, which is 2 / sqrt(pi) to three decimals', () => {
    expect(MEAN_RANGE_OF_TWO).toBe(D2[2]);
    expect((2 / Math.sqrt(Math.PI)).toFixed(3)).toBe(D2[2].toFixed(3));
  });

  it.each(FARTHEST_INCLUDED)(
    'with limits computed from all %i points, no point is more than %f sigma from the mean',
    (count, sigmas) => {
      const limits = computeControlLimits([...Array<number>(count - 1).fill(0), 1], 'sample_stddev');
      expect((1 - (limits?.mean ?? 0)) / (limits?.stddev ?? 0)).toBeCloseTo(sigmas, 3);
    },
  );

  it.each(FALSE_ALARMS)('after %i points, a share of %f is beyond 3 sigma by chance', (count, share) => {
    expect(Math.abs(2 * studentTTailProbability(3 / Math.sqrt(1 + 1 / count), count - 1) - share)).toBeLessThan(
      0.00006,
    );
  });

  it('rules have the false alarm rates of published simulations', () => {
    const random = seededRandom(11);
    const runs = Array.from({ length: SIMULATIONS }, () => new PointsWithLimits(normalValues(random, 4_000), 0, 1));
    for (const { rules, points } of RUN_LENGTHS) {
      const finds = PATTERN_RULES.filter(({ ruleId }) => rules.includes(ruleId)).map(({ find }) => find);
      const lengths = runs.map((run) => 1 + run.values.findIndex((_, at) => finds.some((find) => find(run, at) > 0)));
      const mean = lengths.reduce((sum, length) => sum + length, 0) / runs.length;
      expect([rules, Math.abs(mean / points - 1) < TOLERANCE]).toEqual([rules, true]);
    }
  });
});

/** Box–Muller transform. */
function normalValues(random: () => number, count: number): number[] {
  return Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
}
