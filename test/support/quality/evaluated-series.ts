import { evaluateSeries, type SpcEvaluation, type SpcSettings } from '../../../src/quality/spc/evaluate-series.js';
import type { SpcPoint } from '../../../src/quality/spc/find-process-level.js';

export function spcSettings(settings: Partial<SpcSettings> = {}): SpcSettings {
  return {
    windowSize: 30,
    minHistoryForViolation: 14,
    sigmaMethod: 'sample_stddev',
    extraSpcRules: [],
    ...settings,
  };
}

/** Assumes that all values of the history are within their control limits. */
export function evaluateSample(
  history: readonly number[],
  latestValue: number,
  settings: Partial<SpcSettings> = {},
): SpcEvaluation {
  return evaluateSeries(
    history.map((value) => ({ value })),
    { value: latestValue },
    spcSettings(settings),
  );
}

/** Evaluates each value with the values before it as its history. */
export function evaluateRunByRun(values: readonly number[], settings: Partial<SpcSettings> = {}): SpcEvaluation[] {
  const history: SpcPoint[] = [];
  return values.map((value) => {
    const evaluation = evaluateSeries(history, { value }, spcSettings(settings));
    history.push({ value, beyond: evaluation.beyond });
    return evaluation;
  });
}

export function violatedRulesOf({ violations }: SpcEvaluation): string[] {
  return violations.map(({ ruleId }) => ruleId);
}

/** A series with a mean of 100 and a standard deviation of about 1, without patterns. */
export const STABLE_SERIES = [99, 101, 100, 99, 100, 101, 99, 101, 100, 100, 99, 101, 101, 99, 100, 99];

export const repeated = (count: number, ...values: number[]) => Array.from({ length: count }, () => values).flat();
