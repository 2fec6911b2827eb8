import { formatNumber } from '../spc/format-number.js';
import type { ChartLimits } from './control-chart.js';

/** From top to bottom. */
export function limitLinesOf(limits: ChartLimits): readonly [className: string, name: string, value: number][] {
  return [
    ['control-line', '+3σ', limits.upperControl3Sigma],
    ['warning-line', '+2σ', limits.upperWarning2Sigma],
    ['mean', 'mean', limits.mean],
    ['warning-line', '−2σ', limits.lowerWarning2Sigma],
    ['control-line', '−3σ', limits.lowerControl3Sigma],
  ];
}

export function limitLabels(limits: ChartLimits): string[] {
  return limitLinesOf(limits).map(([, name, value]) => `${name} ${formatNumber(value)}`);
}
