/** What a format cuts out of a value. */
export interface DatetimeParts {
  /** Of four digits, or of two. */
  year: number;
  hasShortYear: boolean;
  month: number;
  day: number;
  /** 0 to 23, or on a clock of half a day 1 to 12. */
  hour: number;
  dayPeriod: '' | 'am' | 'pm';
  minute: number;
  second: number;
  /** Digits. */
  fraction: string;
  /** `Z` or such as `+02:00`; empty where there is none. */
  offset: string;
}

/** Years of two digits from here on are of the last century (POSIX, strptime). */
const FIRST_OF_LAST_CENTURY = 69;

const DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const PADDED: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** `2024-01-31`. Undefined for a day that is in no calendar; the year 0 is in none. */
export function formatDate({
  year,
  hasShortYear,
  month,
  day,
}: Pick<DatetimeParts, 'year' | 'hasShortYear' | 'month' | 'day'>): string | undefined {
  const fullYear = hasShortYear ? year + (year < FIRST_OF_LAST_CENTURY ? 2000 : 1900) : year;
  if (fullYear < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(fullYear, month)) return undefined;
  return `${PADDED[Math.floor(fullYear / 100)]}${PADDED[fullYear % 100]}-${PADDED[month]}-${PADDED[day]}`;
}

/** Gregorian, also before there was that calendar, as SQL has it. */
function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** `10:00:00.5`. Undefined for what is on no clock, such as 24:00 and a second 60. */
export function formatTime({ hour, dayPeriod: half, minute, second, fraction }: DatetimeParts): string | undefined {
  const fullHour = half ? hourOfDay(hour, half) : hour;
  if (fullHour < 0 || fullHour > 23 || minute > 59 || second > 59) return undefined;
  const time = `${PADDED[fullHour]}:${PADDED[minute]}:${PADDED[second]}`;
  return fraction ? `${time}.${fraction}` : time;
}

/** 12 AM is midnight; -1 for an hour that no such clock shows. */
function hourOfDay(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return -1;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}
