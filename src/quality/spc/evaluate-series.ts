import type { SigmaMethod, SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import { type ControlLimits, computeControlLimits } from './control-limits.js';
import { detectViolations } from './detect-violations.js';
import { findProcessLevel, type SpcPoint } from './find-process-level.js';
import { formatNumber } from './format-number.js';
import { PointsWithLimits } from './spc-patterns.js';
import type { SpcSeries, SpcViolation } from './table-spc-result.js';
import { computeTrendSlope } from './trend-slope.js';

export interface SpcSettings {
  readonly windowSize: number;
  /** 2 or more: a single point has no deviation. */
  readonly minHistoryForViolation: number;
  readonly sigmaMethod: SigmaMethod;
  readonly extraSpcRules: readonly SpcRule[];
}

export type SpcEvaluation = Omit<SpcSeries, 'seriesId' | 'seriesKind'>;

type StatusEvaluation = Pick<SpcEvaluation, 'status' | 'violations' | 'beyond'>;

const SHIFT_ACCEPTED_MESSAGE =
  'It is the third run in a row beyond that side: from the next run on, these three are the new level.';

/**
 * How a series is after its latest value; `history` are the points before it, the oldest first, as many as `requiredHistoryLength` says.
 *
 * Limits come from the last `windowSize` points before the latest that were not beyond the limits themselves. After three
 * in a row beyond the same limit the shift is accepted: the baseline starts with those three. Patterns are sought among all
 * points in a row on that level. A single point before the latest has all lines at its value, and so has the latest where it is the first.
 */
export function evaluateSeries(
  history: readonly SpcPoint[],
  latestValue: number,
  settings: SpcSettings,
): SpcEvaluation {
  const { values, baseline, endsBefore } = findProcessLevel(history, settings.windowSize);
  const before = baseline.map(({ value }) => value);
  const limits = computeControlLimits(before.length > 0 ? before : [latestValue], settings.sigmaMethod);
  const slope = computeTrendSlope([...baseline, { at: values.length, value: latestValue }]);
  const finding = { latestValue, ...limits, ...(slope === undefined ? {} : { trendSlope: slope }) };
  if (baseline.length < settings.minHistoryForViolation)
    return { ...finding, status: 'INSUFFICIENT_HISTORY', violations: [] };
  const judgement =
    limits.stddev === 0
      ? evaluateConstantSeries(latestValue, limits.mean, baseline.length)
      : evaluatePatterns([...values, latestValue], limits, settings.extraSpcRules);
  const { beyond } = judgement;
  return { ...finding, ...(beyond !== undefined && endsBefore(beyond) ? acceptShift(judgement) : judgement) };
}

function evaluatePatterns(
  values: readonly number[],
  limits: ControlLimits,
  requested: readonly SpcRule[],
): StatusEvaluation {
  const points = new PointsWithLimits(values, limits.mean, limits.stddev);
  const violations = detectViolations(points, requested);
  const side = points.sideOf(values.length - 1, 3);
  if (side !== 0) return { status: 'OUT_OF_CONTROL', violations, beyond: side > 0 ? 'above' : 'below' };
  return { status: violations.length > 0 ? 'WARNING' : 'IN_BOUNDS', violations };
}

/** Where all values were the same, sigmas measure nothing: the rule is whether the latest is the same too. */
function evaluateConstantSeries(latestValue: number, mean: number, runs: number): StatusEvaluation {
  if (latestValue === mean) return { status: 'IN_BOUNDS', violations: [] };
  const isGone = latestValue === 0 && mean > 0;
  const status: SpcStatus = isGone ? 'OUT_OF_CONTROL' : 'WARNING';
  const change = isGone ? 'has dropped to 0' : `is ${formatNumber(latestValue)}`;
  const violation: SpcViolation = {
    ruleId: 'ZERO_VARIANCE_CHANGE',
    description: `The value ${change}; the ${runs} before that count were all ${formatNumber(mean)}.`,
    pointsInvolved: 1,
  };
  return { status, violations: [violation], ...(isGone ? { beyond: 'below' as const } : {}) };
}

/** The violation that puts the point beyond the limits comes first. */
function acceptShift(judgement: StatusEvaluation): StatusEvaluation {
  const violations = judgement.violations.map((violation, index) =>
    index === 0 ? { ...violation, description: `${violation.description} ${SHIFT_ACCEPTED_MESSAGE}` } : violation,
  );
  return { ...judgement, violations };
}
