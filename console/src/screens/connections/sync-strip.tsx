import type { SyncJobStatus } from '../../gql/graphql.js';
import { classNames } from '../../ui/class-names.js';
import { TONE_DOTS, type Tone } from '../../ui/tone.js';
import { SYNC_STATUSES } from './sync-status-badge.js';

interface SyncStripProps {
  jobs: readonly { status: SyncJobStatus; createdAt: string }[];
  days: number;
}

/** Worst first. The worst result of a day determines the color of its bar. */
const SEVERITY: readonly Tone[] = ['bad', 'warn', 'good', 'info', 'neutral'];

const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

export function SyncStrip({ jobs, days }: SyncStripProps) {
  const byDay = Map.groupBy(jobs, ({ createdAt }) => new Date(createdAt).toDateString());
  const dates = Array.from({ length: days }, (_, ago) => new Date(Date.now() - (days - 1 - ago) * 86_400_000));
  return (
    <figure>
      <figcaption className="mb-1.5 flex justify-between text-xs text-muted">
        <span>{dayName.format(dates[0])}</span>
        <span>Syncs of the last {days} days</span>
        <span>today</span>
      </figcaption>
      <ol className="flex gap-1">
        {dates.map((date) => {
          const ofDay = byDay.get(date.toDateString()) ?? [];
          const tones = ofDay.map(({ status }) => SYNC_STATUSES[status].tone);
          const worst = SEVERITY.find((tone) => tones.includes(tone));
          const label = `${dayName.format(date)}: ${describe(ofDay)}`;
          return (
            <li
              key={date.toDateString()}
              title={label}
              className={classNames('h-8 flex-1 rounded-sm', worst ? TONE_DOTS[worst] : 'bg-sunken')}
            >
              <span className="sr-only">{label}</span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

function describe(jobs: SyncStripProps['jobs']): string {
  if (jobs.length === 0) return 'no syncs';
  const byStatus = Map.groupBy(jobs, ({ status }) => status);
  return [...byStatus]
    .map(([status, { length }]) => `${length} ${SYNC_STATUSES[status].label.toLowerCase()}`)
    .join(', ');
}
