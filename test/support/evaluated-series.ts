import { evaluateSeries, type SpcFinding, type SpcSettings } from '../../src/quality/evaluate-series.js';
import type { SpcPoint } from '../../src/quality/read-level.js';

export function spcSettings(settings: Partial<SpcSettings> = {}): SpcSettings {
  return {
    windowSize: 30,
    minHistoryForViolation: 14,
    sigmaMethod: 'sample_stddev',
    extraSpcRules: [],
    ...settings,
  };
}

/** The latest value after points within their limits. */
export function evaluated(
  history: readonly number[],
  latestValue: number,
  settings: Partial<SpcSettings> = {},
): SpcFinding {
  return evaluateSeries(
    history.map((value) => ({ value })),
    latestValue,
    spcSettings(settings),
  );
}

/** As runs add to a series, one after the other: each finding becomes a point of the history of the next. */
export function followed(values: readonly number[], settings: Partial<SpcSettings> = {}): SpcFinding[] {
  const history: SpcPoint[] = [];
  return values.map((value) => {
    const finding = evaluateSeries(history, value, spcSettings(settings));
    history.push({ value, beyond: finding.beyond });
    return finding;
  });
}

export function rulesOf({ violations }: SpcFinding): string[] {
  return violations.map(({ ruleId }) => ruleId);
}

/** Mean 100, standard deviation near 1, no pattern. */
export const CALM = [99, 101, 100, 99, 100, 101, 99, 101, 100, 100, 99, 101, 101, 99, 100, 99];

export const repeated = (count: number, ...values: number[]) => Array.from({ length: count }, () => values).flat();
