import { describe, expect, it } from 'vitest';
import { detectViolations, findHits, PATTERN_RULES } from '../../../src/quality/spc/detect-violations.js';
import { alternatingRun, PointsWithLimits, trendRun } from '../../../src/quality/spc/spc-patterns.js';
import {
  evaluateRunByRun,
  evaluateSample,
  repeated,
  STABLE_SERIES,
  violatedRulesOf,
} from '../../support/quality/evaluated-series.js';

/** The values of `tail` follow a stable series. `points` and `description` belong to the expected violation. */
const PATTERNS: readonly [rule: string, tail: readonly number[], points: number, description: string][] = [
  [
    'NELSON_2',
    [100.25, 100.5, 100.25, 100.5, 100.25, 100.5, 100.25, 100.5, 100.25],
    9,
    'The last 9 values are all above the mean of 100.08',
  ],
  [
    'NELSON_2',
    [100.25, 100.5, 100.25, 100.5, 100.25, 100.5, 100.25, 100.5, 100.25, 100.5, 100.25],
    11,
    'The last 11 values are all above',
  ],
  [
    'NELSON_3',
    [99.25, 99.5, 99.75, 100, 100.25, 100.5],
    7,
    'The value has risen steadily over the last 7 runs, from 99 to 100.5',
  ],
  [
    'NELSON_3',
    [100.5, 100.25, 100, 99.75, 99.5, 99.25],
    6,
    'The value has fallen steadily over the last 6 runs, from 100.5 to 99.25',
  ],
  ['NELSON_5', [102, 100, 102], 2, '2 of the last 3 values are above'],
  ['NELSON_6', [101, 101, 100, 101, 101.5], 4, '4 of the last 5 values are above'],
  ['NELSON_6', [98.5, 98.5, 98.5, 98.5, 98.5], 5, '5 of the last 5 values are below'],
  ['WARNING_2_SIGMA', [102], 1, 'The value 102 is above the 2-sigma warning limit of 101.6'],
  ['WARNING_2_SIGMA', [98], 1, 'The value 98 is below the 2-sigma warning limit of 98.2'],
];

describe('a pattern', () => {
  it.each(PATTERNS)('%s ends at the latest of %j, with %i points', (ruleId, tail, pointsInvolved, description) => {
    const evaluation = evaluateSample([...STABLE_SERIES, ...tail.slice(0, -1)], tail.at(-1) ?? 0);
    expect(evaluation.status).toBe('WARNING');
    expect(evaluation.violations).toContainEqual({
      ruleId,
      description: expect.stringContaining(description),
      pointsInvolved,
    });
  });

  it.each([
    ['NELSON_4', [...STABLE_SERIES, ...repeated(7, 101, 99)], 'The last 18 values alternate up and down'],
    ['NELSON_7', [...STABLE_SERIES, ...repeated(8, 100.25, 99.75)], 'The last 16 values are all within 1 sigma'],
    ['NELSON_8', [...STABLE_SERIES, ...repeated(4, 101.5, 98.5)], 'None of the last 8 values is within 1 sigma'],
    ['WECO_4', [...STABLE_SERIES, ...repeated(4, 100.25, 100.5)], 'The last 8 values are all above the mean'],
  ] as const)('%s is detected only if it is enabled', (ruleId, values, description) => {
    const [history, latest] = [values.slice(0, -1), values.at(-1) ?? 0];
    expect(violatedRulesOf(evaluateSample(history, latest))).not.toContain(ruleId);
    const { violations, status } = evaluateSample(history, latest, { extraSpcRules: [ruleId] });
    expect(status).toBe('WARNING');
    expect(violations.find((violation) => violation.ruleId === ruleId)?.description).toContain(description);
  });

  it.each([
    ['seven', [1.5, -1.5, 1.5, -1.5, 1.5, -1.5, 1.5], []],
    ['eight', [1.5, -1.5, 1.5, -1.5, 1.5, -1.5, 1.5, -1.5], [7]],
    ['nine, the last eight on one side', [-1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5], [7]],
    ['eight, one of them on the line', [1.5, -1.5, 1.5, -1, 1.5, -1.5, 1.5, -1.5], []],
  ])('of %s points outside 1 sigma requires the last eight, on both sides', (_, values, expected) => {
    const [rule] = PATTERN_RULES.filter(({ ruleId }) => ruleId === 'NELSON_8');
    expect(rule && findHits(rule.find, new PointsWithLimits(values, 0, 1))).toEqual(expected);
  });

  it.each([
    ['six rising points', [1, 2, 3, 4, 5, 6], [5]],
    ['two equal points among rising points', [1, 2, 3, 3, 4, 5, 6], []],
    ['two equal points among falling points', [6, 5, 4, 4, 3, 2, 1], []],
    ['all equal', [1, 1, 1, 1, 1, 1, 1, 1], []],
  ])('of a trend: %s', (_, values, expected) => {
    expect(findHits(trendRun(6), new PointsWithLimits(values, 3, 10))).toEqual(expected);
  });

  it('that alternates ends with two equal values', () => {
    expect(findHits(alternatingRun(5), new PointsWithLimits([1, 2, 1, 2, 1, 2, 2, 1, 2, 1], 0, 10))).toEqual([4, 5]);
  });

  it('at the start of a series is described with the points that exist', () => {
    const [violation] = detectViolations(new PointsWithLimits([2.5, 2.6], 0, 1), []);
    expect(violation).toMatchObject({ ruleId: 'NELSON_5', pointsInvolved: 2 });
    expect(violation?.description).toContain('2 of the last 2 values are above');
  });

  it('that ended before the latest point is not reported again', () => {
    const evaluations = evaluateRunByRun([...STABLE_SERIES, 102, 100, 102, 99.75]);
    expect(violatedRulesOf(evaluations.at(-2) as never)).toContain('NELSON_5');
    expect(evaluations.at(-1)).toMatchObject({ status: 'IN_BOUNDS', violations: [] });
  });

  it('includes points beyond the limits', () => {
    const evaluations = evaluateRunByRun([...STABLE_SERIES, 500, 102]);
    expect(violatedRulesOf(evaluations.at(-1) as never)).toContain('NELSON_5');
  });
});
