import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateSeries, type SpcEvaluation } from '../../../src/quality/spc/evaluate-series.js';
import { requiredHistoryLength } from '../../../src/quality/spc/find-process-level.js';
import {
  evaluateRunByRun,
  evaluateSample,
  spcSettings,
  violatedRulesOf,
} from '../../support/quality/evaluated-series.js';

/**
 * With integers and a window of 16 points, means and distances are exact, so rounding moves no point across a limit.
 */
const WINDOW = 16;
const value = fc.integer({ min: -1_000, max: 1_000 });
const history = fc.array(value, { minLength: WINDOW, maxLength: 2 * WINDOW });
const series = fc.record({
  history,
  latest: fc.oneof(value, fc.integer({ min: -8_000, max: 8_000 })),
  sigmaMethod: fc.constantFrom('sample_stddev' as const, 'moving_range' as const),
});
const SETTINGS = { windowSize: WINDOW, extraSpcRules: ['NELSON_4', 'NELSON_7', 'NELSON_8', 'WECO_4'] as const };
const LINES = ['lowerControl3Sigma', 'lowerWarning2Sigma', 'mean', 'upperWarning2Sigma', 'upperControl3Sigma'] as const;

const linesOf = (evaluation: SpcEvaluation) => LINES.map((line) => evaluation[line] ?? Number.NaN);
const statusOf = ({ status, violations, beyond }: SpcEvaluation) => ({
  status,
  beyond,
  violations: violations.map(({ ruleId, pointsInvolved }) => [ruleId, pointsInvolved]),
});
const swapped = { above: 'below', below: 'above' } as const;

function expectClose(found: readonly number[], expected: readonly number[], size: number) {
  for (const [index, number] of found.entries())
    expect(Math.abs(number - (expected[index] ?? Number.NaN))).toBeLessThanOrEqual(size * 1e-12);
}

describe('a series', () => {
  it('has shifted limits and the same violations if all values are shifted', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: -100_000, max: 100_000 }), ({ history, latest, sigmaMethod }, shift) => {
        const before = evaluateSample(history, latest, { ...SETTINGS, sigmaMethod });
        const after = evaluateSample(
          history.map((value) => value + shift),
          latest + shift,
          { ...SETTINGS, sigmaMethod },
        );
        fc.pre(before.stddev !== 0);
        expect(statusOf(after)).toEqual(statusOf(before));
        expectClose(
          linesOf(after),
          linesOf(before).map((line) => line + shift),
          200_000,
        );
        expectClose([after.trendSlope ?? Number.NaN], [before.trendSlope ?? Number.NaN], 200_000);
      }),
    );
  });

  it('has scaled limits and the same violations if all values are scaled; a negative factor swaps the sides', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: -20, max: 20 }),
        fc.constantFrom(1, -1),
        ({ history, latest, sigmaMethod }, power, sign) => {
          const factor = sign * 2 ** power;
          const before = evaluateSample(history, latest, { ...SETTINGS, sigmaMethod });
          const after = evaluateSample(
            history.map((value) => value * factor),
            latest * factor,
            { ...SETTINGS, sigmaMethod },
          );
          fc.pre(before.stddev !== 0);
          const { beyond, ...rest } = statusOf(before);
          expect(statusOf(after)).toEqual({
            ...rest,
            beyond: sign < 0 && beyond !== undefined ? swapped[beyond] : beyond,
          });
          const scaled = linesOf(before).map((line) => line * factor);
          expectClose(linesOf(after), sign < 0 ? scaled.reverse() : scaled, 10_000 * Math.abs(factor));
        },
      ),
    );
  });

  it('has the same mean and standard deviation for every order of its history', () => {
    const twoOrders = history
      .map((values) => values.slice(0, WINDOW))
      .chain((values) => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: WINDOW })));
    fc.assert(
      fc.property(twoOrders, value, ([one, other], latest) => {
        const [first, second] = [evaluateSample(one, latest, SETTINGS), evaluateSample(other, latest, SETTINGS)];
        expect(second.mean).toBe(first.mean);
        expectClose(linesOf(second), linesOf(first), 10_000);
        const ranges = { ...SETTINGS, sigmaMethod: 'moving_range' as const };
        expect(evaluateSample(other, latest, ranges).mean).toBe(evaluateSample(one, latest, ranges).mean);
      }),
    );
  });

  it('has limits that do not depend on its latest value', () => {
    fc.assert(
      fc.property(series, value, ({ history, latest, sigmaMethod }, other) => {
        const settings = { ...SETTINGS, sigmaMethod };
        expect(linesOf(evaluateSample(history, other, settings))).toEqual(
          linesOf(evaluateSample(history, latest, settings)),
        );
      }),
    );
  });

  it('has ordered lines and is out of control exactly beyond the outer lines', () => {
    fc.assert(
      fc.property(series, ({ history, latest, sigmaMethod }) => {
        const evaluation = evaluateSample(history, latest, { ...SETTINGS, sigmaMethod });
        expect(linesOf(evaluation)).toEqual(linesOf(evaluation).toSorted((one, other) => one - other));
        const isBeyond = latest > (evaluation.upperControl3Sigma ?? 0) || latest < (evaluation.lowerControl3Sigma ?? 0);
        if (evaluation.stddev !== 0) expect(evaluation.status === 'OUT_OF_CONTROL').toBe(isBeyond);
        expect(evaluation.violations.length > 0).toBe(['WARNING', 'OUT_OF_CONTROL'].includes(evaluation.status));
        for (const { pointsInvolved } of evaluation.violations)
          expect(pointsInvolved).toBeLessThanOrEqual(history.length + 1);
      }),
    );
  });

  it('reports no optional rules unless they are enabled', () => {
    const onRequest: readonly string[] = SETTINGS.extraSpcRules;
    fc.assert(
      fc.property(series, ({ history, latest }) => {
        const [some, all] = [
          evaluateSample(history, latest, { windowSize: WINDOW }),
          evaluateSample(history, latest, SETTINGS),
        ];
        expect(violatedRulesOf(some)).toEqual(violatedRulesOf(all).filter((rule) => !onRequest.includes(rule)));
      }),
    );
  });
});

describe('a series run by run', () => {
  const values = fc.array(fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 90, max: 110 }) }, value), {
    minLength: 20,
    maxLength: 120,
  });

  it('starts a new level after exactly three consecutive points beyond the same limit', () => {
    fc.assert(
      fc.property(values, (values) => {
        const evaluations = evaluateRunByRun([...values, 50_000, 50_003, 50_006, 100]);
        const [first, second, third, next] = evaluations.slice(-4);
        fc.pre(first?.beyond === 'above' && evaluations.at(-5)?.beyond === undefined);
        expect([second?.mean, third?.mean]).toEqual([first?.mean, first?.mean]);
        expect(next).toMatchObject({ mean: 50_003, stddev: 3, status: 'INSUFFICIENT_HISTORY' });
      }),
    );
  });

  it('does not depend on points before the required history', () => {
    fc.assert(
      fc.property(values, (values) => {
        const points = evaluateRunByRun([...values, ...values], { windowSize: 20 }).map(({ latestValue, beyond }) => ({
          value: latestValue,
          beyond,
        }));
        const settings = spcSettings({ windowSize: 20 });
        const { violations, ...evaluation } = evaluateSeries(points, { value: 100 }, settings);
        expect(evaluateSeries(points.slice(-requiredHistoryLength(20)), { value: 100 }, settings)).toMatchObject(
          evaluation,
        );
      }),
    );
  });
});
