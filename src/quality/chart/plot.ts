import { type ChartScale, createChartScale } from './chart-scale.js';
import { estimateTextWidth } from './chart-text.js';
import type { ControlChart } from './control-chart.js';
import { limitLabels, limitLinesOf } from './limit-lines.js';
import type { LabelFrame } from './place-labels.js';

export const WIDTH = 960;
export const EDGE = 24;
const TOP = 76;
export const BOTTOM = 396;

/** `xOf` converts the index of a point to a coordinate. `yOf` converts a value. */
export interface Plot extends LabelFrame {
  readonly scale: ChartScale;
  readonly xOf: (index: number) => string;
  readonly yOf: (value: number) => string;
}

export function plotOf({ points, limits }: ControlChart): Plot {
  const drawnLimits = [limits, ...points.map((point) => point.limits)].filter((one) => one !== undefined);
  const scale = createChartScale([
    ...points.map(({ value }) => value),
    ...drawnLimits.flatMap((one) => limitLinesOf(one).map(([, , value]) => value)),
  ]);
  const left = EDGE + 8 + Math.max(...scale.ticks.map(({ label }) => estimateTextWidth(label)));
  const right =
    WIDTH - (limits === undefined ? EDGE : 2 * EDGE + Math.max(...limitLabels(limits).map(estimateTextWidth)));
  const inset = 12;
  const step = points.length > 1 ? (right - left - 2 * inset) / (points.length - 1) : 0;
  const start = points.length > 1 ? left + inset : (left + right) / 2;
  return {
    scale,
    left,
    right,
    top: TOP,
    bottom: BOTTOM,
    xOf: (index) => formatPixels(start + index * step),
    yOf: (value) => formatPixels(BOTTOM - scale.shareOf(value) * (BOTTOM - TOP)),
  };
}

export const formatPixels = (pixels: number) => pixels.toFixed(2);
