import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '../../../ui/class-names.js';
import { formatSeriesValue } from '../format-value.js';
import { createScale } from './chart-scale.js';
import { type ChartPoint, type ChartSeries, hasLimits } from './chart-series.js';
import { RULE_MARKS, SPC_STATUSES } from './chart-words.js';
import { LimitLines } from './limit-lines.js';
import { HEIGHT, MARGIN, type Plot } from './plot.js';
import { PointMark } from './point-mark.js';
import { useWidth } from './use-width.js';

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface ControlChartProps {
  series: ChartSeries;
  selected: number;
  onSelect: (index: number) => void;
}

export function ControlChart({ series, selected, onSelect }: ControlChartProps) {
  const { points, title, kind, level } = series;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 560);
  const plot = createPlot(series, width);
  const last = points.length - 1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: selected - 1, ArrowRight: selected + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(Math.min(Math.max(next, 0), last));
  };
  const onPointer = ({ currentTarget, clientX }: PointerEvent): void => {
    const x = clientX - currentTarget.getBoundingClientRect().left;
    const share = (x - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
    onSelect(Math.min(Math.max(Math.round(share * last), 0), last));
  };
  const labelled = labelledPoints(points, plot);
  const levelAt = level ? points.findIndex(({ capturedAt }) => capturedAt >= level.from) : -1;
  const isWithinDay = Date.parse(points[last]?.capturedAt ?? '') - Date.parse(points[0].capturedAt) < 86_400_000;
  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={`Points of ${title}`}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={selected + 1}
      aria-valuetext={describePoint(series, points[selected] ?? series.latest)}
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      className="touch-pan-y rounded-lg"
    >
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden className="block max-w-full">
        {plot.ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={plot.y(tick)}
              y2={plot.y(tick)}
              className="stroke-line"
            />
            <text x={MARGIN.left - 8} y={plot.y(tick) + 4} textAnchor="end" className="fill-muted text-[11px]">
              {formatSeriesValue(kind, tick)}
            </text>
          </g>
        ))}
        <LimitLines series={series} plot={plot} from={Math.max(levelAt, 0)} />
        {levelAt >= 0 && (
          <g>
            <line
              x1={plot.x(levelAt)}
              x2={plot.x(levelAt)}
              y1={MARGIN.top}
              y2={HEIGHT - MARGIN.bottom}
              className="stroke-info"
              strokeDasharray="4 3"
            />
            <text x={plot.x(levelAt) + 5} y={MARGIN.top + 8} className="fill-info text-[11px] font-medium">
              new level
            </text>
          </g>
        )}
        <polyline
          points={points.map(({ latestValue }, at) => `${plot.x(at)},${plot.y(latestValue)}`).join(' ')}
          className="fill-none stroke-muted"
          strokeWidth={1.25}
        />
        <line
          x1={plot.x(selected)}
          x2={plot.x(selected)}
          y1={MARGIN.top}
          y2={HEIGHT - MARGIN.bottom}
          className="stroke-muted"
          opacity={0.35}
        />
        {points.map((point, at) => (
          <PointMark
            key={`${point.runId} ${point.capturedAt}`}
            point={point}
            x={plot.x(at)}
            y={plot.y(point.latestValue)}
            isSelected={at === selected}
            hasLabel={labelled.has(at)}
          />
        ))}
        {[0, last]
          .filter((at, nth) => nth === 0 || at > 0)
          .map((at) => (
            <text
              key={at}
              x={plot.x(at)}
              y={HEIGHT - 6}
              textAnchor={at === 0 ? 'start' : 'end'}
              className={classNames('fill-muted text-[11px]')}
            >
              {(isWithinDay ? time : date).format(new Date(points[at]?.capturedAt ?? ''))}
            </text>
          ))}
      </svg>
    </div>
  );
}

/** Returns value, time and status of a point, such as "12, Jan 31, 2026, 12:00 PM: in bounds". */
export function describePoint({ kind }: ChartSeries, point: ChartPoint): string {
  const rules = point.violations.map(({ ruleId }) => RULE_MARKS[ruleId]).join(', ');
  const status = SPC_STATUSES[point.status].label;
  const of = point.sampleSize ? ` of ${point.sampleSize.toLocaleString('en')} rows` : '';
  return `${formatSeriesValue(kind, point.latestValue)}${of}, ${dateTime.format(new Date(point.capturedAt))}: ${status}${rules && ` (${rules})`}`;
}

const LABEL_PX = 18;

/** If the rule names of two points would overlap, the chart displays only the name at the later point. */
function labelledPoints(points: readonly ChartPoint[], plot: Plot): ReadonlySet<number> {
  const chosen = new Set<number>();
  let next = Number.POSITIVE_INFINITY;
  for (let at = points.length - 1; at >= 0; at--) {
    if (!points[at]?.violations.length || next - plot.x(at) < LABEL_PX) continue;
    chosen.add(at);
    next = plot.x(at);
  }
  return chosen;
}

function createPlot({ points }: ChartSeries, width: number): Plot {
  const values = points.flatMap((point) =>
    hasLimits(point) ? [point.latestValue, point.lowerControl3Sigma, point.upperControl3Sigma] : [point.latestValue],
  );
  const scale = createScale(values);
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const steps = Math.max(points.length - 1, 1);
  return {
    width,
    ticks: scale.ticks,
    x: (at) => MARGIN.left + (points.length === 1 ? inner.width / 2 : (at / steps) * inner.width),
    y: (value) => MARGIN.top + (1 - scale.shareOf(value)) * inner.height,
  };
}
