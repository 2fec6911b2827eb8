import type { SpcChartType, SpcStatus } from '../contracts/spc-rule.js';
import { formatNumber } from '../spc/format-number.js';
import { ruleMarkOf, violatedRules } from './chart-marks.js';
import { formatChartTime } from './chart-text.js';
import type { ChartPoint, ControlChart } from './control-chart.js';

const STATUS_DESCRIPTIONS: Readonly<Record<SpcStatus, string>> = {
  INSUFFICIENT_HISTORY: 'not enough earlier points',
  IN_BOUNDS: 'in bounds',
  WARNING: 'a warning',
  OUT_OF_CONTROL: 'out of control',
};

export function describeStatus(status: SpcStatus): string {
  return STATUS_DESCRIPTIONS[status];
}

const LIMIT_DESCRIPTIONS: Readonly<Record<SpcChartType, string | undefined>> = {
  INDIVIDUALS: undefined,
  P: 'limits depend on the number of rows (p chart)',
  P_PRIME: 'limits depend on the number of rows and on the variation of the shares (p′ chart)',
};

/** Returns undefined if all points have the same limits. */
export function describeLimits(chartType: SpcChartType = 'INDIVIDUALS'): string | undefined {
  return LIMIT_DESCRIPTIONS[chartType];
}

/** For screen readers. */
export function describeChart({ points, limits, chartType }: ControlChart): string {
  const [first, latest] = [points[0], points.at(-1)];
  if (first === undefined || latest === undefined) return 'The series has no points yet.';
  const sentences = [
    `The latest value, measured at ${formatChartTime(latest.capturedAt)}, is ${formatNumber(latest.value)}: ${describeStatus(latest.status)}.`,
    limits === undefined
      ? 'The series has no limits yet.'
      : `The mean of the earlier points is ${formatNumber(limits.mean)}. The 2-sigma limits are ${formatNumber(limits.lowerWarning2Sigma)} and ${formatNumber(limits.upperWarning2Sigma)}, and the 3-sigma limits are ${formatNumber(limits.lowerControl3Sigma)} and ${formatNumber(limits.upperControl3Sigma)}.`,
    ...(describeLimits(chartType)
      ? [
          'The limits differ from point to point, because they depend on the number of rows. The limits in this description apply to the latest point.',
        ]
      : []),
    points.length === 1
      ? 'The series has only this point.'
      : `The chart shows ${points.length} points since ${formatChartTime(first.capturedAt)}.`,
    describeRules(points),
  ];
  return sentences.join(' ');
}

function describeRules(points: readonly ChartPoint[]): string {
  const rules = violatedRules(points);
  if (rules.length === 0) return 'No rule is violated.';
  const counts = rules.map((rule) => {
    const count = points.filter(({ violations }) => violations.includes(rule)).length;
    const { label, meaning } = ruleMarkOf(rule);
    return `${label} (${meaning}) at ${count} ${count === 1 ? 'point' : 'points'}`;
  });
  return `Rules violated: ${counts.join(', ')}.`;
}
