import { evaluateSeries, type SpcEvaluation, type SpcSettings } from '../../src/quality/spc/evaluate-series.js';
import type { SeriesValue } from '../../src/quality/spc/series-value.js';

/** The defaults of a contract. */
const SETTINGS: SpcSettings = {
  windowSize: 30,
  minHistoryForViolation: 14,
  sigmaMethod: 'sample_stddev',
  extraSpcRules: [],
};

export function evaluateAfter(history: readonly SeriesValue[], latest: SeriesValue): SpcEvaluation {
  return evaluateSeries(history, latest, SETTINGS);
}

export function shareOutOfControl(trials: number, trial: () => SpcEvaluation): number {
  let count = 0;
  for (let nth = 0; nth < trials; nth++) if (trial().status === 'OUT_OF_CONTROL') count++;
  return count / trials;
}

export const formatPercent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(8);
