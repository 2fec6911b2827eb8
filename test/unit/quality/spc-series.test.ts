import { describe, expect, it } from 'vitest';
import { evaluateSeries } from '../../../src/quality/spc/evaluate-series.js';
import { requiredHistoryLength } from '../../../src/quality/spc/find-process-level.js';
import {
  evaluateRunByRun,
  evaluateSample,
  repeated,
  STABLE_SERIES,
  spcSettings,
  violatedRulesOf,
} from '../../support/quality/evaluated-series.js';

describe('too few points', () => {
  it.each([
    [0, { mean: 1e9, stddev: 0, lowerControl3Sigma: 1e9, upperWarning2Sigma: 1e9 }],
    [1, { mean: 1, stddev: 0, lowerWarning2Sigma: 1, upperControl3Sigma: 1 }],
    [2, { mean: 2, upperControl3Sigma: 2 + 3 * Math.SQRT2 }],
    [13, { mean: 1 + 12 / 13 }],
  ])('after %i points no violation is reported, even for an extreme value', (count, numbers) => {
    const evaluation = evaluateSample(repeated(7, 1, 3).slice(0, count), 1e9);
    expect(evaluation).toMatchObject({ status: 'INSUFFICIENT_HISTORY', violations: [], latestValue: 1e9, ...numbers });
    const { mean, stddev, lowerControl3Sigma, lowerWarning2Sigma, upperWarning2Sigma, upperControl3Sigma } = evaluation;
    const lines = [lowerControl3Sigma, lowerWarning2Sigma, mean, upperWarning2Sigma, upperControl3Sigma, stddev];
    expect(lines.every(Number.isFinite)).toBe(true);
    expect('trendSlope' in evaluation).toBe(count >= 2);
    expect('beyond' in evaluation).toBe(false);
  });

  it('with enough points the violation is reported', () => {
    expect(evaluateSample(repeated(7, 1, 3), 1e9).status).toBe('OUT_OF_CONTROL');
  });
});

it('points beyond the limits do not count towards the required history', () => {
  const history = [{ value: 900, beyond: 'above' as const }, ...repeated(13, 100).map((value) => ({ value }))];
  expect(evaluateSeries(history, { value: 7 }, spcSettings()).status).toBe('INSUFFICIENT_HISTORY');
  expect(evaluateSeries([...history, { value: 100 }], { value: 7 }, spcSettings()).status).toBe('WARNING');
});

it('limits are computed from the last points of the window', () => {
  const history = [...repeated(20, 7), ...repeated(10, 99, 101)];
  expect(evaluateSample(history, 100, { windowSize: 20 })).toMatchObject({ mean: 100, status: 'IN_BOUNDS' });
  expect(evaluateSample(history, 100, { windowSize: 21 }).mean).toBeCloseTo((7 + 2000) / 21, 9);
});

describe('a value beyond 3 sigma', () => {
  it.each([
    ['above', 104],
    ['below', 96],
  ] as const)('%s the limit is reported with value, limit and mean', (beyond, latestValue) => {
    const evaluation = evaluateSample(repeated(8, 99, 101), latestValue);
    expect(evaluation).toMatchObject({ status: 'OUT_OF_CONTROL', beyond });
    expect(evaluation.violations[0]).toEqual({
      ruleId: 'NELSON_1',
      description: `The value ${latestValue} is ${beyond} the 3-sigma control limit of ${beyond === 'above' ? '103.1' : '96.902'}. The mean is 100.`,
      pointsInvolved: 1,
    });
  });

  it('excludes a value on the limit', () => {
    // The squared deviations of the nine points sum up to 8 * 4, so the standard deviation is 2.
    const history = [0, 0, 0, 0, 0, 4, -4, 0, 0];
    const settings = { minHistoryForViolation: 9 };
    expect(evaluateSample(history, 6, settings)).toMatchObject({ stddev: 2, upperControl3Sigma: 6, status: 'WARNING' });
    expect(violatedRulesOf(evaluateSample(history, 6, settings))).toEqual(['WARNING_2_SIGMA']);
    expect(evaluateSample(history, 4, settings).status).toBe('IN_BOUNDS');
    expect(violatedRulesOf(evaluateSample(history, -6, settings))).toEqual(['WARNING_2_SIGMA']);
    expect(evaluateSample(history, -4, settings).status).toBe('IN_BOUNDS');
    expect(evaluateSample(history, 6.000001, settings).status).toBe('OUT_OF_CONTROL');
    expect(evaluateSample(history, -6.000001, settings).status).toBe('OUT_OF_CONTROL');
  });

  it('is not also reported as beyond 2 sigma', () => {
    expect(violatedRulesOf(evaluateSample(repeated(8, 99, 101), 104))).toEqual(['NELSON_1']);
  });

  it('is excluded from the baseline of later values', () => {
    const [before, after] = [evaluateSample(STABLE_SERIES, 100), evaluateRunByRun([...STABLE_SERIES, 500, 100]).at(-1)];
    expect(after).toMatchObject({ mean: before.mean, stddev: before.stddev, status: 'IN_BOUNDS' });
  });

  it('does not shrink the baseline: the window extends further back', () => {
    const settings = { windowSize: 16, minHistoryForViolation: 16 };
    expect(evaluateRunByRun([...STABLE_SERIES, 500, 100], settings).at(-1)?.status).toBe('IN_BOUNDS');
  });

  it('does not affect the slope, but counts as a run', () => {
    const line = Array.from({ length: 20 }, (_, at) => ({ value: 8 * at }));
    const bent = line.map((point, at) => (at === 9 ? { value: 1e6, beyond: 'above' as const } : point));
    expect(evaluateSeries(bent, { value: 160 }, spcSettings()).trendSlope).toBeCloseTo(8, 9);
  });
});

describe('the level', () => {
  it('shifts with the third consecutive value beyond the same limit, which its description reports', () => {
    const evaluations = evaluateRunByRun([...STABLE_SERIES, 500, 510, 505, 505]);
    const [first, second, third, next] = evaluations.slice(-4);
    for (const evaluation of [first, second, third])
      expect(evaluation).toMatchObject({
        status: 'OUT_OF_CONTROL',
        beyond: 'above',
        mean: evaluateSample(STABLE_SERIES, 1).mean,
      });
    expect(second?.violations[0]?.description).not.toContain('new level');
    expect(third?.violations[0]?.description).toContain('third consecutive run');
    expect(next).toMatchObject({ status: 'INSUFFICIENT_HISTORY', mean: 505, stddev: 5 });
  });

  it.each([
    ['a value within', [500, 500, 100, 500, 100]],
    ['a value beyond the other limit', [500, 500, -500, 500, 100]],
  ])('does not shift if %s interrupts', (_, values) => {
    expect(evaluateRunByRun([...STABLE_SERIES, ...values]).at(-1)).toMatchObject({
      status: 'IN_BOUNDS',
      mean: expect.closeTo(99.94, 2),
    });
  });

  it('excludes earlier points, for patterns too', () => {
    const shifted = [...STABLE_SERIES, 500, 510, 505];
    const evaluations = evaluateRunByRun([...shifted, ...repeated(6, 504, 506), 505]);
    expect(evaluations.slice(19).flatMap(violatedRulesOf)).toEqual([]);
    expect(evaluations.at(-1)).toMatchObject({ status: 'IN_BOUNDS' });
    expect(evaluations.at(-1)?.mean).toBeGreaterThan(500);
  });

  it('does not shift with a third value beyond the other limit', () => {
    const third = evaluateRunByRun([...STABLE_SERIES, 500, 510, -500]).at(-1);
    expect(third).toMatchObject({ status: 'OUT_OF_CONTROL', beyond: 'below' });
    expect(third?.violations[0]?.description).not.toContain('new level');
  });

  it('starts with the three values: the slope excludes earlier points', () => {
    const history = [97, 98, 99].map((value) => ({ value }));
    const shift = [500, 510, 520].map((value) => ({ value, beyond: 'above' as const }));
    const evaluation = evaluateSeries(
      [...history, ...shift],
      { value: 530 },
      spcSettings({ minHistoryForViolation: 3 }),
    );
    expect(evaluation).toMatchObject({ mean: 510, stddev: 10, status: 'IN_BOUNDS', violations: [], trendSlope: 10 });
  });

  it('can shift again', () => {
    const second = [...repeated(8, 504, 506), 100, 101, 102, 101];
    expect(evaluateRunByRun([...STABLE_SERIES, 500, 510, 505, ...second]).at(-1)).toMatchObject({
      mean: 101,
      stddev: 1,
    });
  });

  it('of a table that receives no more rows is 0 after three runs', () => {
    const evaluations = evaluateRunByRun([...repeated(20, 500), 0, 0, 0, 0]);
    expect(evaluations.slice(-4).map(({ status, mean }) => [status, mean])).toEqual([
      ['OUT_OF_CONTROL', 500],
      ['OUT_OF_CONTROL', 500],
      ['OUT_OF_CONTROL', 500],
      ['INSUFFICIENT_HISTORY', 0],
    ]);
    expect(evaluations.at(-2)?.violations[0]?.description).toContain('third consecutive run');
  });

  it('is the same for the required history and for all points', () => {
    const values = [...repeated(40, 3), ...repeated(20, 99, 101), 500, 510, 505, ...repeated(14, 504, 506), 900, 505];
    const points = evaluateRunByRun(values).map(({ latestValue, beyond }) => ({ value: latestValue, beyond }));
    const kept = points.slice(-requiredHistoryLength(30));
    expect(kept.length).toBeLessThan(points.length);
    expect(evaluateSeries(kept, { value: 505 }, spcSettings())).toEqual(
      evaluateSeries(points, { value: 505 }, spcSettings()),
    );
  });
});

describe('a constant series', () => {
  it.each([0.1, 0.7, 1e300, 1e-300, 0, -5, 2 ** 53 - 1, Number.MAX_VALUE])(
    'of %f has the standard deviation 0',
    (value) => {
      for (const sigmaMethod of ['sample_stddev', 'moving_range'] as const)
        expect(evaluateSample(repeated(21, value), value, { sigmaMethod, extraSpcRules: ['NELSON_7'] })).toEqual({
          status: 'IN_BOUNDS',
          latestValue: value,
          mean: value,
          stddev: 0,
          chartType: 'INDIVIDUALS',
          lowerControl3Sigma: value,
          lowerWarning2Sigma: value,
          upperWarning2Sigma: value,
          upperControl3Sigma: value,
          trendSlope: 0,
          violations: [],
        });
    },
  );

  it.each([
    [500, 501, 'WARNING', 'The value is 501. The 20 earlier values of the baseline are all 500.'],
    [500, 1, 'WARNING', 'The value is 1. The 20 earlier values of the baseline are all 500.'],
    [0, 7, 'WARNING', 'The value is 7. The 20 earlier values of the baseline are all 0.'],
    [-3, 0, 'WARNING', 'The value is 0. The 20 earlier values of the baseline are all -3.'],
    [500, 0, 'OUT_OF_CONTROL', 'The value has dropped to 0. The 20 earlier values of the baseline are all 500.'],
  ] as const)('of %d with the latest value %d is %s', (value, latestValue, status, description) => {
    const evaluation = evaluateSample(repeated(20, value), latestValue);
    expect(evaluation).toMatchObject({
      status,
      violations: [{ ruleId: 'ZERO_VARIANCE_CHANGE', description, pointsInvolved: 1 }],
    });
    expect(evaluation.beyond).toBe(status === 'OUT_OF_CONTROL' ? 'below' : undefined);
  });
});

it('extreme values have finite results', () => {
  for (const sigmaMethod of ['sample_stddev', 'moving_range'] as const) {
    const evaluation = evaluateSample(repeated(8, Number.MAX_VALUE, -Number.MAX_VALUE), Number.MAX_VALUE, {
      sigmaMethod,
    });
    expect(JSON.parse(JSON.stringify(evaluation))).toEqual(evaluation);
    const numbers = Object.values(evaluation).filter((value) => typeof value === 'number');
    expect(numbers.length).toBeGreaterThanOrEqual(7);
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(evaluateSample(repeated(8, 1.5e308, 1.6e308), 1.55e308, { sigmaMethod }).mean).toBeCloseTo(1.55e308, -300);
  }
});

it('the moving range is less sensitive to a shift in the history', () => {
  const history = [...repeated(10, 99, 101), ...repeated(10, 199, 201)];
  const [sample, ranges] = (['sample_stddev', 'moving_range'] as const).map((sigmaMethod) =>
    evaluateSample(history, 150, { sigmaMethod }),
  );
  expect(ranges?.stddev).toBeLessThan((sample?.stddev ?? 0) / 4);
});
