import { createHash } from 'node:crypto';
import { CronExpressionParser } from 'cron-parser';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** In minutes since midnight. If `from` is later than `until`, the quiet hours span midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
}

export interface ScheduleTimes {
  readonly intervalMinutes?: number | null | undefined;
  /** Five fields, without seconds. Overrides `intervalMinutes`. */
  readonly cron?: string | null | undefined;
  /** IANA name of the time zone of `cron` and `quietHours`. */
  readonly timezone: string;
  readonly quietHours?: QuietHours | null | undefined;
}

/**
 * Returns undefined for a manual schedule. A hash of `connectionId` distributes connections across the interval. For
 * `cron`, it distributes them across the first minute after each match. A start in the quiet hours moves to their end.
 */
export function nextRunAt(schedule: ScheduleTimes, connectionId: string, after: Date): Date | undefined {
  const next = scheduledTime(schedule, connectionId, after);
  return next && afterQuietHours(schedule, connectionId, next);
}

function scheduledTime({ cron, intervalMinutes, timezone }: ScheduleTimes, id: string, after: Date): Date | undefined {
  if (cron) {
    const spread = shareOf(id, MINUTE_MS);
    const from = new Date(after.getTime() - spread);
    return new Date(CronExpressionParser.parse(cron, { currentDate: from, tz: timezone }).next().getTime() + spread);
  }
  if (!intervalMinutes) return undefined;
  const interval = intervalMinutes * MINUTE_MS;
  const offset = shareOf(id, interval);
  return new Date(Math.ceil((after.getTime() + 1 - offset) / interval) * interval + offset);
}

function afterQuietHours({ quietHours, timezone }: ScheduleTimes, id: string, time: Date): Date {
  if (!quietHours) return time;
  const { from, until } = quietHours;
  const minute = minuteOfDay(time, timezone);
  const isQuiet = from <= until ? minute >= from && minute < until : minute >= from || minute < until;
  if (!isQuiet) return time;
  const left = (until - minute + DAY_MINUTES) % DAY_MINUTES;
  const end = Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
  return new Date(end + shareOf(id, MINUTE_MS));
}

function minuteOfDay(time: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = format.format(time).split(':').map(Number);
  return hour * 60 + minute;
}

function shareOf(id: string, period: number): number {
  return Math.floor((createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32) * period);
}
