import { useState } from 'react';
import { useIsAllowed } from '../../../session/permissions.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { TimeAgo } from '../../../ui/time-ago.js';
import { AcceptLevel } from './accept-level.js';
import type { ChartSeries } from './chart-series.js';
import { LIMIT_KINDS, RULE_MARKS, SPC_STATUSES } from './chart-words.js';
import { ControlChart, describePoint } from './control-chart.js';

interface ChartCardProps {
  series: ChartSeries;
  minHistory: number;
  onChanged: () => void;
}

export function ChartCard({ series, minHistory, onChanged }: ChartCardProps) {
  const { title, points, latest, level } = series;
  const canChange = useIsAllowed('contracts:write');
  const [chosen, setChosen] = useState<number>();
  const [isAccepting, setAccepting] = useState(false);
  const selected = chosen !== undefined && chosen < points.length ? chosen : points.length - 1;
  const point = points[selected] ?? latest;
  const { label, tone } = SPC_STATUSES[latest.status];
  const isDecided = level !== undefined && level.acceptedAt >= latest.capturedAt;
  const hasShifted = latest.status === 'OUT_OF_CONTROL' || latest.status === 'WARNING';
  return (
    <article aria-label={title} className="flex flex-col rounded-xl border border-line bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-2 px-5 pt-4">
        <h3 className="text-sm font-semibold break-all">{title}</h3>
        <span className="flex flex-wrap gap-2">
          {isDecided && <Badge tone="info">new level accepted</Badge>}
          <Badge tone={tone}>{label}</Badge>
        </span>
      </header>
      <div className="px-3 pt-2">
        <ControlChart series={series} selected={selected} onSelect={setChosen} />
      </div>
      <div className="flex flex-1 flex-col gap-3 border-t border-line px-5 py-3 text-sm">
        <p className="tabular-nums">
          <span className="text-muted">{selected === points.length - 1 ? 'Latest' : `Point ${selected + 1}`}: </span>
          {describePoint(series, point)}
        </p>
        {point.violations.length > 0 && (
          <ul className="space-y-1">
            {point.violations.map(({ ruleId, description }) => (
              <li key={ruleId} className="flex gap-2">
                <span
                  className={point.status === 'OUT_OF_CONTROL' ? 'font-semibold text-bad' : 'font-semibold text-warn'}
                >
                  {RULE_MARKS[ruleId]}
                </span>
                <span>{description}</span>
              </li>
            ))}
          </ul>
        )}
        <p className="text-xs text-muted">
          {LIMIT_KINDS[latest.chartType ?? 'INDIVIDUALS']}.{' '}
          {series.baseline === 'weekday'
            ? 'Each point is compared with earlier points of the same weekday. '
            : 'Each point is compared with the points before it. '}
          {level && (
            <>
              A new level was accepted <TimeAgo at={level.acceptedAt} />. The limits ignore the points before this
              level.{' '}
            </>
          )}
          {latest.status === 'INSUFFICIENT_HISTORY' &&
            `The chart reports violations when it has at least ${minHistory} earlier points.`}
        </p>
        {canChange && (hasShifted || level) && (
          <div className="mt-auto flex justify-end">
            <Button onClick={() => setAccepting(true)}>
              {level && !hasShifted ? 'Change the level' : 'Accept the new level'}
              <span className="sr-only"> of {title}</span>
            </Button>
          </div>
        )}
      </div>
      {isAccepting && (
        <AcceptLevel
          series={series}
          minHistory={minHistory}
          onAccepted={onChanged}
          onClose={() => setAccepting(false)}
        />
      )}
    </article>
  );
}
