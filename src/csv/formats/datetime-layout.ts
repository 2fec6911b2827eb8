import { isMonthName, isWeekdayName } from './datetime-names.js';
import { UTC_NAMES, ZONE_OFFSETS } from './time-zones.js';

export interface DatetimeLayout {
  readonly date?: DateLayout;
  /** Text between date and time, in the notation of TR 35. */
  readonly separator: string;
  readonly time?: TimeLayout;
}

export interface DateLayout {
  /**
   * Format of TR 35 with placeholders. `A` and `B` are numbers of one or two digits. The whole column determines which
   * of them is the day, the month, or a year of two digits. `L` is the name of a month, and `W` the name of a weekday.
   */
  readonly template: string;
  /** Digits of two numbers: `A` and `B`, or month and day. If the month has a name, only the digits of the day. */
  readonly small: readonly string[];
  /** Two or four digits. */
  readonly year: string;
  /** In lower case, without the point of an abbreviation. */
  readonly monthName?: string;
  readonly weekdayName?: string;
}

export interface TimeLayout {
  /**
   * Format of TR 35 with placeholders. `K` is an hour of one or two digits, and `k` such an hour with AM or PM. `F` is
   * an optional fraction, `O` a numeric offset or `Z`, and `z` the name of an offset.
   */
  readonly template: string;
  readonly hour: string;
  /** Fraction of a second, including the point. */
  readonly fraction: string;
  /** Numeric offset, or `Z`. Otherwise empty. */
  readonly offset: string;
  /** Abbreviation of the time zone in lower case. Undefined for UTC and GMT, and without an abbreviation. */
  readonly zone: string | undefined;
}

const MIN_CHARACTERS = 4;
const MAX_CHARACTERS = 64;

/** Matches a digit, or the last character of Z, AM, p.m., UTC, GMT or an abbreviation such as EST. */
const DATETIME_END = /[0-9zmct.]$/i;

const NUMERIC = /^([0-9]{1,4})([-/.])([0-9]{1,2})\2([0-9]{1,4})$/;
const NUMERIC_TEMPLATES = Object.fromEntries(
  ['-', '/', '.'].map((separator) => [
    separator,
    {
      yearFirst: ['yyyy', 'M', 'd'].join(separator),
      yearLast: ['A', 'B', 'yyyy'].join(separator),
      shortYearLast: ['A', 'B', 'yy'].join(separator),
    },
  ]),
);
const NAME = String.raw`(\p{L}{2,12})\.??`;
const WEEKDAY = `(?:${NAME}(,? ))?`;
const DAY_THEN_NAME = new RegExp(
  String.raw`^${WEEKDAY}([0-9]{1,2})(\. |[-/. ]?| de )${NAME}( de |[-/. ]?)([0-9]{4}|[0-9]{2})$`,
  'iu',
);
const NAME_THEN_DAY = new RegExp(`^${WEEKDAY}${NAME} ([0-9]{1,2})(,? )([0-9]{4})$`, 'iu');
const YEAR_THEN_NAME = new RegExp(String.raw`^([0-9]{4})([-/. ])${NAME}\2([0-9]{1,2})$`, 'iu');
const ZONE = [...UTC_NAMES, ...ZONE_OFFSETS.keys()].join('|');
/** Matches a time, from its hour to the end of the value. */
const CLOCK = new RegExp(
  String.raw`([0-9]{1,2}):[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(?:( ?)(?:[ap]m|[ap]\.m\.))?(?:( ?)(z|${ZONE}|[-+][0-9]{2}(?::?[0-9]{2})?))?$`,
  'iy',
);
const DATE_AND_SEPARATOR = /^(.*[0-9])(T|,? )$/i;

export function datetimeLayoutOf(value: string): DatetimeLayout | undefined {
  if (value.length < MIN_CHARACTERS || value.length > MAX_CHARACTERS || !DATETIME_END.test(value)) return undefined;
  const colon = value.indexOf(':');
  if (colon < 0) {
    const date = dateLayout(value);
    return date && { date, separator: '' };
  }
  const start = isDigit(value.charCodeAt(colon - 2)) ? colon - 2 : colon - 1;
  CLOCK.lastIndex = start;
  const clock = start < 0 ? null : CLOCK.exec(value);
  if (!clock) return undefined;
  const time = timeLayout(clock);
  if (start === 0) return { separator: '', time };
  const [, dateText = '', separator = ''] = DATE_AND_SEPARATOR.exec(value.slice(0, start)) ?? [];
  const date = dateLayout(dateText);
  return date && { date, separator: separator.replace(/t/i, "'T'"), time };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function timeLayout(clock: RegExpExecArray): TimeLayout {
  const [, hour = '', seconds, fraction = '', beforeHalf, beforeOffset = '', offset = ''] = clock;
  const half = beforeHalf === undefined ? '' : `${beforeHalf}a`;
  const name = offset.length > 1 ? offset.toLowerCase() : '';
  const isAbbreviation = ZONE_OFFSETS.has(name);
  const isNamed = isAbbreviation || UTC_NAMES.includes(name);
  const zoneField = offset && `${beforeOffset}${isNamed ? 'z' : 'O'}`;
  const template = `${half ? 'k' : 'K'}:mm${seconds === undefined ? '' : ':ssF'}${half}${zoneField}`;
  return { template, hour, fraction, offset: isNamed ? '' : offset, zone: isAbbreviation ? name : undefined };
}

function dateLayout(text: string): DateLayout | undefined {
  return numericDate(text) ?? dayThenName(text) ?? nameThenDay(text) ?? yearThenName(text);
}

function numericDate(text: string): DateLayout | undefined {
  const [, first, separator, second, last] = NUMERIC.exec(text) ?? [];
  if (!first || !separator || !second || !last) return undefined;
  const templates = NUMERIC_TEMPLATES[separator];
  if (first.length === 4) {
    const isComplete = templates && last.length <= 2;
    return isComplete ? { template: templates.yearFirst, small: [second, last], year: first } : undefined;
  }
  const template = last.length === 4 ? templates?.yearLast : templates?.shortYearLast;
  return template && first.length <= 2 && last.length !== 3 && last.length !== 1
    ? { template, small: [first, second], year: last }
    : undefined;
}

function dayThenName(text: string): DateLayout | undefined {
  const [, weekday, gap, day, before, month, after, year] = DAY_THEN_NAME.exec(text) ?? [];
  if (!day || !month || !year || before === undefined || after === undefined) return undefined;
  // `12. März 2024` has a point only after the day.
  if (after !== before && !(before === '. ' && after === ' ')) return undefined;
  const [from, to] = [before, after].map((separator) => separator.replace('de', "'de'"));
  return namedDate(weekday, gap, month, day, year, `d${from}L${to}${year.length === 4 ? 'yyyy' : 'yy'}`);
}

function nameThenDay(text: string): DateLayout | undefined {
  const [, weekday, gap, month, day, comma, year] = NAME_THEN_DAY.exec(text) ?? [];
  return day && month && year ? namedDate(weekday, gap, month, day, year, `L d${comma}yyyy`) : undefined;
}

function yearThenName(text: string): DateLayout | undefined {
  const [, year, separator, month, day] = YEAR_THEN_NAME.exec(text) ?? [];
  return year && month && day
    ? namedDate(undefined, '', month, day, year, `yyyy${separator}L${separator}d`)
    : undefined;
}

function namedDate(
  weekday: string | undefined,
  gap: string | undefined,
  month: string,
  day: string,
  year: string,
  rest: string,
): DateLayout | undefined {
  const monthName = month.toLowerCase();
  if (!isMonthName(monthName)) return undefined;
  if (weekday === undefined) return { template: rest, small: [day], year, monthName };
  const weekdayName = weekday.toLowerCase();
  return isWeekdayName(weekdayName)
    ? { template: `W${gap}${rest}`, small: [day], year, monthName, weekdayName }
    : undefined;
}
