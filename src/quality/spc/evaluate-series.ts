import type { SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import { detectViolations } from './detect-violations.js';
import { findProcessLevel, type SpcPoint } from './find-process-level.js';
import { fitLimits, type LimitSettings } from './fit-limits.js';
import { formatNumber } from './format-number.js';
import type { SeriesValue } from './series-value.js';
import { PointsWithLimits } from './spc-patterns.js';
import type { SpcSeries, SpcViolation } from './table-spc-result.js';
import { computeTrendSlope } from './trend-slope.js';

export interface SpcSettings extends LimitSettings {
  readonly windowSize: number;
  readonly extraSpcRules: readonly SpcRule[];
}

export interface SpcEvaluation extends Omit<SpcSeries, 'seriesId' | 'seriesKind'> {
  /** Set for an OUT_OF_CONTROL point. */
  readonly beyond?: 'above' | 'below';
}

type StatusEvaluation = Pick<SpcEvaluation, 'status' | 'violations' | 'beyond'>;

const SHIFT_ACCEPTED_MESSAGE =
  'This is the third consecutive run beyond the limit. From the next run on, these three runs are the baseline.';

/**
 * `history` contains the earlier points, oldest first: at least the last `requiredHistoryLength` points, or all points
 * if there are fewer.
 *
 * The limits follow from the last `windowSize` earlier points that were within their limits. Three consecutive points
 * beyond the same limit are a shift, and start a new baseline. The control chart rules use all points since the last
 * shift, even outliers. With a single earlier point, all limits equal the value of this point. Without earlier points,
 * all limits equal the latest value.
 */
export function evaluateSeries(
  history: readonly SpcPoint[],
  latest: SeriesValue,
  settings: SpcSettings,
): SpcEvaluation {
  const { points, baseline, endsBefore } = findProcessLevel(history, settings.windowSize);
  const { chartType, limits, sigmaOf } = fitLimits(baseline, latest, settings);
  const { value: latestValue, sampleSize } = latest;
  const slope = computeTrendSlope([...baseline, { at: points.length, value: latestValue }]);
  const base = {
    ...{ latestValue, ...limits, chartType },
    ...(slope !== undefined && { trendSlope: slope }),
    ...(sampleSize !== undefined && { sampleSize }),
  };
  if (baseline.length < settings.minHistoryForViolation)
    return { ...base, status: 'INSUFFICIENT_HISTORY', violations: [] };
  const evaluation =
    limits.stddev === 0
      ? evaluateConstantSeries(latestValue, limits.mean, baseline.length)
      : evaluatePatterns(
          new PointsWithLimits(
            [...points, latest].map(({ value }) => value),
            limits.mean,
            [...points.map(sigmaOf), limits.stddev],
          ),
          settings.extraSpcRules,
        );
  const { beyond } = evaluation;
  return { ...base, ...(beyond !== undefined && endsBefore(beyond) ? acceptShift(evaluation) : evaluation) };
}

function evaluatePatterns(points: PointsWithLimits, enabled: readonly SpcRule[]): StatusEvaluation {
  const violations = detectViolations(points, enabled);
  const side = points.sideOf(points.values.length - 1, 3);
  if (side !== 0) return { status: 'OUT_OF_CONTROL', violations, beyond: side > 0 ? 'above' : 'below' };
  return { status: violations.length > 0 ? 'WARNING' : 'IN_BOUNDS', violations };
}

/** If all earlier values are equal, sigma is 0. The function therefore compares the latest value only with `mean`. */
function evaluateConstantSeries(latestValue: number, mean: number, runs: number): StatusEvaluation {
  if (latestValue === mean) return { status: 'IN_BOUNDS', violations: [] };
  const isGone = latestValue === 0 && mean > 0;
  const status: SpcStatus = isGone ? 'OUT_OF_CONTROL' : 'WARNING';
  const change = isGone ? 'has dropped to 0' : `is ${formatNumber(latestValue)}`;
  const violation: SpcViolation = {
    ruleId: 'ZERO_VARIANCE_CHANGE',
    description: `The value ${change}. The ${runs} earlier values of the baseline are all ${formatNumber(mean)}.`,
    pointsInvolved: 1,
  };
  return { status, violations: [violation], ...(isGone ? { beyond: 'below' as const } : {}) };
}

/** Adds the message about the shift to the first violation, which is always the violation of the limits. */
function acceptShift(evaluation: StatusEvaluation): StatusEvaluation {
  const violations = evaluation.violations.map((violation, index) =>
    index === 0 ? { ...violation, description: `${violation.description} ${SHIFT_ACCEPTED_MESSAGE}` } : violation,
  );
  return { ...evaluation, violations };
}
