import { classNames } from '../../../ui/class-names.js';
import { type ChartPoint, type ChartSeries, hasLimits } from './chart-series.js';
import type { Plot } from './plot.js';

type Limit = 'upperControl3Sigma' | 'upperWarning2Sigma' | 'mean' | 'lowerWarning2Sigma' | 'lowerControl3Sigma';

const LIMITS: readonly (readonly [limit: Limit, label: string, classes: string, dashes?: string])[] = [
  ['upperControl3Sigma', '+3σ', 'stroke-bad', '6 3'],
  ['upperWarning2Sigma', '+2σ', 'stroke-warn', '2 3'],
  ['mean', 'mean', 'stroke-accent'],
  ['lowerWarning2Sigma', '−2σ', 'stroke-warn', '2 3'],
  ['lowerControl3Sigma', '−3σ', 'stroke-bad', '6 3'],
];

/** The 2-sigma limits have labels only if they are at least this far from the 3-sigma limits. */
const LABEL_PX = 11;

interface LimitLinesProps {
  series: ChartSeries;
  plot: Plot;
  from: number;
}

/** If the limits vary between points, draws the limits of each point. Otherwise, draws the latest limits. */
export function LimitLines({ series: { points, latest, baseline }, plot, from }: LimitLinesProps) {
  if (!hasLimits(latest)) return null;
  const differ = (latest.chartType ?? 'INDIVIDUALS') !== 'INDIVIDUALS' || baseline === 'weekday';
  const shown: (readonly [at: number, point: ChartPoint])[] = differ
    ? points.flatMap((point, at) => (hasLimits(point) ? [[at, point] as const] : []))
    : [
        [Math.min(from, points.length - 1), latest],
        [points.length - 1, latest],
      ];
  const lineOf = (limit: Limit): string =>
    shown.map(([at, point]) => `${plot.x(at)},${plot.y(point[limit])}`).join(' ');
  const band = [lineOf('upperControl3Sigma'), lineOf('lowerControl3Sigma').split(' ').reverse().join(' ')].join(' ');
  const isCrowded = Math.abs(plot.y(latest.upperControl3Sigma) - plot.y(latest.upperWarning2Sigma)) < LABEL_PX;
  return (
    <g>
      <polygon points={band} className="fill-accent-soft" opacity={0.45} />
      {LIMITS.map(([limit, label, classes, dashes]) => (
        <g key={limit}>
          <polyline points={lineOf(limit)} strokeDasharray={dashes} className={classNames('fill-none', classes)} />
          {!(isCrowded && limit.includes('Warning')) && (
            <text x={plot.width - 42} y={plot.y(latest[limit]) + 4} className="fill-muted text-[10px]">
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
