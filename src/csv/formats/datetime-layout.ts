import { MONTHS, SHORT_NAME_CHARACTERS, shortNames, WEEKDAYS } from './datetime-names.js';

/** Layout of a value that looks like a date, a time, or both. */
export interface DatetimeLayout {
  readonly date?: DateLayout;
  /** Text between date and time, as in a format of TR 35. */
  readonly separator: string;
  readonly time?: TimeLayout;
}

export interface DateLayout {
  /**
   * Format of TR 35 with placeholders: `A` and `B` have one or two digits. They are day and month, in an order that
   * only the whole column shows. `L` is the name of a month.
   */
  readonly template: string;
  /** The numbers of `A` and `B`, or of month and day, as written. Only the day if the month has a name. */
  readonly small: readonly string[];
  readonly monthName?: string;
}

export interface TimeLayout {
  /**
   * Format of TR 35 with placeholders: `K` is an hour of one or two digits, `F` an optional fraction, `O` a numeric
   * offset or `Z`.
   */
  readonly template: string;
  readonly hour: string;
  /** Includes the point. */
  readonly fraction: string;
  readonly offset: string;
}

const MIN_CHARACTERS = 4;
const MAX_CHARACTERS = 64;

/** A digit, or the last letter of Z, AM, p.m., UTC or GMT. */
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
const DAY_THEN_NAME = /^(?:([a-z]{3,9})(,? ))?([0-9]{1,2})([-/. ]?)([a-z]{3,9})\4([0-9]{4}|[0-9]{2})$/i;
const NAME_THEN_DAY = /^(?:([a-z]{3,9})(,? ))?([a-z]{3,9}) ([0-9]{1,2})(,? )([0-9]{4})$/i;
const YEAR_THEN_NAME = /^([0-9]{4})([-/. ])([a-z]{3,9})\2([0-9]{1,2})$/i;
/** A time, from its hour to the end of the value. */
const CLOCK =
  /([0-9]{1,2}):[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(?:( ?)(?:[ap]m|[ap]\.m\.))?(?:( ?)(z|utc|gmt|[-+][0-9]{2}(?::?[0-9]{2})?))?$/iy;
const DATE_AND_SEPARATOR = /^(.*[0-9])(T|,? )$/i;

const MONTH_NAMES = new Set([...MONTHS, ...shortNames(MONTHS)]);
const WEEKDAY_NAMES = new Set([...WEEKDAYS, ...shortNames(WEEKDAYS)]);

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
  const isNamed = /^[ug]/i.test(offset);
  const zone = offset && `${beforeOffset}${isNamed ? 'z' : 'O'}`;
  const template = `${half ? 'k' : 'K'}:mm${seconds === undefined ? '' : ':ssF'}${half}${zone}`;
  return { template, hour, fraction, offset: isNamed ? '' : offset };
}

function dateLayout(text: string): DateLayout | undefined {
  return numericDate(text) ?? dayThenName(text) ?? nameThenDay(text) ?? yearThenName(text);
}

function numericDate(text: string): DateLayout | undefined {
  const [, first, separator, second, last] = NUMERIC.exec(text) ?? [];
  if (!first || !separator || !second || !last) return undefined;
  const templates = NUMERIC_TEMPLATES[separator];
  if (first.length === 4) {
    return templates && last.length <= 2 ? { template: templates.yearFirst, small: [second, last] } : undefined;
  }
  const template = last.length === 4 ? templates?.yearLast : templates?.shortYearLast;
  return template && first.length <= 2 && last.length !== 3 && last.length !== 1
    ? { template, small: [first, second] }
    : undefined;
}

function dayThenName(text: string): DateLayout | undefined {
  const [, weekday, gap, day, separator, month, year] = DAY_THEN_NAME.exec(text) ?? [];
  if (!day || !month || !year) return undefined;
  return namedDate(weekday, gap, month, day, `d${separator}L${separator}${year.length === 4 ? 'yyyy' : 'yy'}`);
}

function nameThenDay(text: string): DateLayout | undefined {
  const [, weekday, gap, month, day, comma] = NAME_THEN_DAY.exec(text) ?? [];
  return day && month ? namedDate(weekday, gap, month, day, `L d${comma}yyyy`) : undefined;
}

function yearThenName(text: string): DateLayout | undefined {
  const [, year, separator, month, day] = YEAR_THEN_NAME.exec(text) ?? [];
  return year && month && day ? namedDate(undefined, '', month, day, `yyyy${separator}L${separator}d`) : undefined;
}

function namedDate(
  weekday: string | undefined,
  gap: string | undefined,
  month: string,
  day: string,
  rest: string,
): DateLayout | undefined {
  const monthName = month.toLowerCase();
  if (!MONTH_NAMES.has(monthName)) return undefined;
  if (weekday === undefined) return { template: rest, small: [day], monthName };
  if (!WEEKDAY_NAMES.has(weekday.toLowerCase())) return undefined;
  const letters = weekday.length === SHORT_NAME_CHARACTERS ? 'EEE' : 'EEEE';
  return { template: `${letters}${gap}${rest}`, small: [day], monthName };
}
