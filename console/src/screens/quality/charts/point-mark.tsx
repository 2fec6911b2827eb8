import { classNames } from '../../../ui/class-names.js';
import type { ChartPoint } from './chart-series.js';
import { RULE_MARKS } from './chart-words.js';

interface PointMarkProps {
  point: ChartPoint;
  x: number;
  y: number;
  isSelected: boolean;
  /** Whether to show the name of the worst rule. False if the name would overlap the name at a later point. */
  hasLabel: boolean;
}

export function PointMark({ point: { status, violations }, x, y, isSelected, hasLabel }: PointMarkProps) {
  const [worst] = violations;
  const isOut = status === 'OUT_OF_CONTROL';
  return (
    <g>
      {isSelected && <circle cx={x} cy={y} r={9} className="fill-none stroke-ink" strokeWidth={1.25} />}
      {worst ? (
        <>
          <path
            d={`M${x},${y - 6}l6,6l-6,6l-6,-6z`}
            className={classNames('stroke-surface', isOut ? 'fill-bad' : 'fill-warn')}
          />
          {hasLabel && (
            <text
              x={x}
              y={y - 11}
              textAnchor="middle"
              className={classNames('text-[10px] font-semibold', isOut ? 'fill-bad' : 'fill-warn')}
            >
              {RULE_MARKS[worst.ruleId]}
            </text>
          )}
        </>
      ) : (
        <circle
          cx={x}
          cy={y}
          r={3.25}
          strokeWidth={1.5}
          className={status === 'INSUFFICIENT_HISTORY' ? 'fill-surface stroke-muted' : 'fill-accent stroke-surface'}
        />
      )}
    </g>
  );
}
