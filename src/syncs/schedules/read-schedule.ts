import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { SyncSchedule } from '../sync-schedule.js';
import type { QuietHours, ScheduleTimes } from './next-run-at.js';

/** A connection whose credentials were never valid has no schedule. */
export async function findSchedule(read: Reader, instanceId: string): Promise<Lean<SyncSchedule> | undefined> {
  return (await read.many(SyncSchedule, 'instance', instanceId))[0];
}

export type StoredTimes = Pick<
  Lean<SyncSchedule>,
  'intervalMinutes' | 'cron' | 'timezone' | 'quietFrom' | 'quietUntil'
>;

export function timesOf({ quietFrom, quietUntil, ...times }: StoredTimes): ScheduleTimes {
  const { intervalMinutes, cron, timezone } = times;
  return { intervalMinutes, cron, timezone, quietHours: quietHoursOf(quietFrom, quietUntil) };
}

function quietHoursOf(from: string | null | undefined, until: string | null | undefined): QuietHours | undefined {
  if (!from || !until) return undefined;
  return { from: minutesOf(from), until: minutesOf(until) };
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
