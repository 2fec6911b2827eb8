import { Card } from '../../ui/card.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { Schedule } from './connection-query.js';
import { EditSchedule } from './edit-schedule.js';

const DESCRIPTIONS: Readonly<Record<Schedule['kind'], (schedule: Schedule) => string>> = {
  interval: ({ intervalMinutes }) => `Every ${describeMinutes(intervalMinutes ?? 0)}`,
  cron: ({ cron, timezone }) => `Cron ${cron} in ${timezone}`,
  manual: () => 'Syncs start only on request',
  external: () => 'An external runner performs the syncs',
};

interface ScheduleCardProps {
  instanceId: string;
  schedule: Schedule;
  isPaused: boolean;
}

export function ScheduleCard({ instanceId, schedule, isPaused }: ScheduleCardProps) {
  return (
    <Card title="Schedule" actions={<EditSchedule instanceId={instanceId} schedule={schedule} />}>
      <div className="space-y-1 p-5 text-sm">
        <p className="font-medium">{DESCRIPTIONS[schedule.kind](schedule)}</p>
        {schedule.quietFrom && (
          <p className="text-muted">
            Quiet hours: {schedule.quietFrom} to {schedule.quietUntil}
          </p>
        )}
        <p className="text-muted">
          {isPaused && 'Paused'}
          {!isPaused && schedule.nextRunAt && (
            <>
              Next sync <TimeAgo at={schedule.nextRunAt} />
            </>
          )}
        </p>
      </div>
    </Card>
  );
}

function describeMinutes(minutes: number): string {
  if (minutes % 60) return `${minutes} minutes`;
  return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
}
