/** Calendar units in UTC. */
export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

const SECOND = 1_000;
export const DAY_MS = 86_400_000;

const FIXED_MS: Readonly<Partial<Record<CalendarUnit, number>>> = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3_600 * SECOND,
  day: DAY_MS,
};

/** 1970-01-05, the first Monday after the epoch. */
const FIRST_MONDAY = 4 * DAY_MS;

/** `time` and the result are in milliseconds since 1970. Weeks start on Monday. */
export function startOfUnit(time: number, unit: CalendarUnit): number {
  const fixed = FIXED_MS[unit];
  if (fixed !== undefined) return Math.floor(time / fixed) * fixed;
  if (unit === 'week') return Math.floor((time - FIRST_MONDAY) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), unit === 'year' ? 0 : date.getUTCMonth());
}

export function startOfNextUnit(time: number, unit: CalendarUnit): number {
  const start = startOfUnit(time, unit);
  const fixed = unit === 'week' ? 7 * DAY_MS : FIXED_MS[unit];
  if (fixed !== undefined) return start + fixed;
  const date = new Date(start);
  return unit === 'year'
    ? Date.UTC(date.getUTCFullYear() + 1, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Returns `time` if a unit starts at it, and otherwise the start of the next unit. */
export function endOfUnit(time: number, unit: CalendarUnit): number {
  return startOfUnit(time, unit) === time ? time : startOfNextUnit(time, unit);
}
