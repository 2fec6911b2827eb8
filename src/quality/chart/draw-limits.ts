import type { ChartLimits, ChartPoint, ControlChart } from './control-chart.js';
import { limitLabels, limitLinesOf } from './limit-lines.js';
import { spreadHeights } from './place-labels.js';
import { formatPixels, type Plot } from './plot.js';

interface LimitStep {
  readonly from: number;
  readonly to: number;
  readonly limits: ChartLimits;
}

/** The caller must draw these areas behind all other parts. */
export function drawBands(chart: ControlChart, plot: Plot): string[] {
  return limitStepsOf(chart, plot).flatMap(({ from, to, limits }) => {
    const band = (className: string, low: number, high: number) => {
      const height = formatPixels(Number(plot.yOf(low)) - Number(plot.yOf(high)));
      return `<rect class="${className}" x="${formatPixels(from)}" y="${plot.yOf(high)}" width="${formatPixels(to - from)}" height="${height}"/>`;
    };
    return [
      band('band3', limits.lowerControl3Sigma, limits.upperControl3Sigma),
      band('band2', limits.lowerWarning2Sigma, limits.upperWarning2Sigma),
    ];
  });
}

/** The labels contain the values of the latest limits. */
export function drawLimits(chart: ControlChart, plot: Plot): string[] {
  const lines = limitStepsOf(chart, plot).flatMap(({ from, to, limits }) =>
    limitLinesOf(limits).map(
      ([className, , value]) =>
        `<line class="${className}" x1="${formatPixels(from)}" x2="${formatPixels(to)}" y1="${plot.yOf(value)}" y2="${plot.yOf(value)}"/>`,
    ),
  );
  return chart.limits === undefined ? lines : [...lines, ...drawLimitLabels(chart.limits, plot)];
}

function drawLimitLabels(limits: ChartLimits, { right, top, bottom, yOf }: Plot): string[] {
  const heights = spreadHeights(
    limitLinesOf(limits).map(([, , value]) => Number(yOf(value)) + 4),
    { top, bottom: bottom + 4 },
  );
  return limitLabels(limits).map(
    (label, index) => `<text x="${formatPixels(right + 8)}" y="${formatPixels(heights[index] ?? 0)}">${label}</text>`,
  );
}

/** Returns one step over the whole plot or, if points have their own limits, one step around each of these points. */
function limitStepsOf({ points, limits }: ControlChart, plot: Plot): LimitStep[] {
  if (!points.some(hasOwnLimits)) return limits === undefined ? [] : [{ from: plot.left, to: plot.right, limits }];
  const middleBefore = (index: number): number => {
    if (index === 0) return plot.left;
    return index === points.length ? plot.right : (Number(plot.xOf(index - 1)) + Number(plot.xOf(index))) / 2;
  };
  return points.flatMap((point, index) =>
    hasOwnLimits(point) ? [{ from: middleBefore(index), to: middleBefore(index + 1), limits: point.limits }] : [],
  );
}

function hasOwnLimits(point: ChartPoint): point is ChartPoint & { limits: ChartLimits } {
  return point.limits !== undefined;
}
