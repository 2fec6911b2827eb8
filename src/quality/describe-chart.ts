import { brokenRules, markOf } from './chart-marks.js';
import { chartTime } from './chart-text.js';
import type { ChartPoint, ControlChart } from './control-chart.js';
import { shownNumber } from './shown-number.js';
import type { SpcStatus } from './spc-rule.js';

const STATUS_WORDS: Readonly<Record<SpcStatus, string>> = {
  INSUFFICIENT_HISTORY: 'too few points before it to tell',
  IN_BOUNDS: 'in bounds',
  WARNING: 'a warning',
  OUT_OF_CONTROL: 'out of control',
};

export function statusWords(status: SpcStatus): string {
  return STATUS_WORDS[status];
}

/** What a chart shows, for those who do not see it. */
export function describeChart({ points, limits }: ControlChart): string {
  const [first, latest] = [points[0], points.at(-1)];
  if (first === undefined || latest === undefined) return 'There are no points yet.';
  const sentences = [
    `The latest value is ${shownNumber(latest.value)}, of ${chartTime(latest.capturedAt)}: ${statusWords(latest.status)}.`,
    limits === undefined
      ? 'There are no limits yet.'
      : `The mean before it is ${shownNumber(limits.mean)}, the 2-sigma limits are ${shownNumber(limits.lowerWarning2Sigma)} and ${shownNumber(limits.upperWarning2Sigma)}, the 3-sigma limits ${shownNumber(limits.lowerControl3Sigma)} and ${shownNumber(limits.upperControl3Sigma)}.`,
    points.length === 1 ? 'It is the only point.' : `${points.length} points since ${chartTime(first.capturedAt)}.`,
    describeRules(points),
  ];
  return sentences.join(' ');
}

function describeRules(points: readonly ChartPoint[]): string {
  const rules = brokenRules(points);
  if (rules.length === 0) return 'No rule is broken.';
  const counts = rules.map((rule) => {
    const count = points.filter(({ violations }) => violations.includes(rule)).length;
    const { label, meaning } = markOf(rule);
    return `${label} (${meaning}) at ${count} ${count === 1 ? 'point' : 'points'}`;
  });
  return `Rules broken: ${counts.join(', ')}.`;
}
