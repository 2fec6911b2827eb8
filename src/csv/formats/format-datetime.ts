export interface DatetimeParts {
  /** Two digits if `hasShortYear` is true, otherwise four digits. */
  year: number;
  hasShortYear: boolean;
  month: number;
  day: number;
  /** 1 for Monday. 0 if the value has no weekday. */
  weekday: number;
  /** 0 to 23. With `dayPeriod`, 1 to 12. */
  hour: number;
  dayPeriod: '' | 'am' | 'pm';
  minute: number;
  second: number;
  /** Digits of the fraction of a second, without the point. */
  fraction: string;
  /** `Z` or an offset such as `+02:00`. Empty if the value has no offset. */
  offset: string;
}

/** Two-digit years from this year to 99 belong to the 20th century (POSIX `strptime`). */
export const FIRST_OF_LAST_CENTURY = 69;

const DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const PADDED: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

export function fullYearOf({ year, hasShortYear }: Pick<DatetimeParts, 'year' | 'hasShortYear'>): number {
  return hasShortYear ? year + (year < FIRST_OF_LAST_CENTURY ? 2000 : 1900) : year;
}

/** Formats a date as `2024-01-31`. Returns undefined for an invalid date, including the year 0. */
export function formatDate({
  year,
  hasShortYear,
  month,
  day,
}: Pick<DatetimeParts, 'year' | 'hasShortYear' | 'month' | 'day'>): string | undefined {
  const fullYear = fullYearOf({ year, hasShortYear });
  if (fullYear < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(fullYear, month)) return undefined;
  return `${PADDED[Math.floor(fullYear / 100)]}${PADDED[fullYear % 100]}-${PADDED[month]}-${PADDED[day]}`;
}

/** Returns 1 for Monday and 7 for Sunday. */
export function weekdayOf({ year, month, day }: Pick<DatetimeParts, 'year' | 'month' | 'day'>): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCDay() || 7;
}

/** Applies the proleptic Gregorian calendar, as in SQL. */
function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Formats a time, for example as `10:00:00.5`. Returns undefined for an invalid time, such as 24:00 or second 60. */
export function formatTime({ hour, dayPeriod, minute, second, fraction }: DatetimeParts): string | undefined {
  const fullHour = dayPeriod ? hourOfDay(hour, dayPeriod) : hour;
  if (fullHour < 0 || fullHour > 23 || minute > 59 || second > 59) return undefined;
  const time = `${PADDED[fullHour]}:${PADDED[minute]}:${PADDED[second]}`;
  return fraction ? `${time}.${fraction}` : time;
}

/** 12 AM is midnight. Returns -1 for an hour outside 1 to 12. */
function hourOfDay(hour: number, dayPeriod: string): number {
  if (hour < 1 || hour > 12) return -1;
  return (hour % 12) + (dayPeriod === 'pm' ? 12 : 0);
}
