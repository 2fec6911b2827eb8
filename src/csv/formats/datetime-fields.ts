import { DATETIME_LANGUAGES, ENGLISH } from './datetime-names.js';
import type { DatetimeParts } from './format-datetime.js';
import { UTC_NAMES, ZONE_OFFSETS } from './time-zones.js';

/** Parses one field at `at` into `parts`. Returns the position after the field, or -1 if there is no valid field. */
export type FieldParser = (text: string, at: number, parts: DatetimeParts) => number;

export type DatetimeFieldKind = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'half' | 'minute' | 'second' | 'offset';

export interface DatetimeField {
  readonly kind: DatetimeFieldKind;
  readonly parse: FieldParser;
}

/** Limit of PostgreSQL. Real offsets have at most 14 hours. */
const MAX_OFFSET_HOURS = 15;

const UTC_OFFSETS = new Map(UTC_NAMES.map((name) => [name, 'Z']));

/**
 * Supported fields of Unicode TR 35, except names of months and weekdays. A numeric field of one letter has one or two
 * digits.
 */
const plainFields: Readonly<Record<string, DatetimeField>> = {
  yyyy: { kind: 'year', parse: digits(4, 4, (parts, number) => (parts.year = number)) },
  yy: { kind: 'year', parse: digits(2, 2, noteShortYear) },
  M: { kind: 'month', parse: digits(1, 2, (parts, number) => (parts.month = number)) },
  MM: { kind: 'month', parse: digits(2, 2, (parts, number) => (parts.month = number)) },
  d: { kind: 'day', parse: digits(1, 2, (parts, number) => (parts.day = number)) },
  dd: { kind: 'day', parse: digits(2, 2, (parts, number) => (parts.day = number)) },
  H: { kind: 'hour', parse: digits(1, 2, (parts, number) => (parts.hour = number)) },
  HH: { kind: 'hour', parse: digits(2, 2, (parts, number) => (parts.hour = number)) },
  h: { kind: 'hour', parse: digits(1, 2, (parts, number) => (parts.hour = number)) },
  hh: { kind: 'hour', parse: digits(2, 2, (parts, number) => (parts.hour = number)) },
  a: { kind: 'half', parse: half },
  mm: { kind: 'minute', parse: digits(2, 2, (parts, number) => (parts.minute = number)) },
  ss: { kind: 'second', parse: digits(2, 2, (parts, number) => (parts.second = number)) },
  X: { kind: 'offset', parse: offset(/([-+])([0-9]{2})([0-9]{2})?/y) },
  XX: { kind: 'offset', parse: offset(/([-+])([0-9]{2})([0-9]{2})/y) },
  XXX: { kind: 'offset', parse: offset(/([-+])([0-9]{2}):([0-9]{2})/y) },
  z: { kind: 'offset', parse: namedOffset(UTC_OFFSETS) },
  zzz: { kind: 'offset', parse: namedOffset(new Map([...UTC_OFFSETS, ...ZONE_OFFSETS])) },
};

const fieldsByLanguage = new Map(
  [...DATETIME_LANGUAGES].map(([language, { months, weekdays }]) => {
    const noteMonth = (parts: DatetimeParts, number: number) => (parts.month = number);
    const noteWeekday = (parts: DatetimeParts, number: number) => (parts.weekday = number);
    const fields: Readonly<Record<string, DatetimeField>> = {
      ...plainFields,
      MMM: { kind: 'month', parse: name(months.short, noteMonth, { mayEndWithPoint: true }) },
      MMMM: { kind: 'month', parse: name(months.full, noteMonth) },
      EEE: { kind: 'weekday', parse: name(weekdays.short, noteWeekday, { mayEndWithPoint: true }) },
      EEEE: { kind: 'weekday', parse: name(weekdays.full, noteWeekday) },
    };
    return [language, fields];
  }),
);

/**
 * Returns the supported fields, with the names of months and weekdays in a language (ISO 639-1). Returns undefined for
 * an unsupported language.
 */
export function datetimeFieldsOf(language = ENGLISH): Readonly<Record<string, DatetimeField>> | undefined {
  return fieldsByLanguage.get(language);
}

/** Case-insensitive. */
export function literalParser(wanted: string): FieldParser {
  const lower = wanted.toLowerCase();
  return (text, at) => {
    const end = at + wanted.length;
    if (text.startsWith(wanted, at)) return end;
    return text.slice(at, end).toLowerCase() === lower ? end : -1;
  };
}

/** Creates a parser of an optional fraction: a decimal point with 1 to `maxDigits` digits. */
export function fractionParser(point: string, maxDigits: number): FieldParser {
  return (text, at, parts) => {
    if (!text.startsWith(point, at)) return at;
    const start = at + point.length;
    const end = start + countDigits(text, start, maxDigits);
    parts.fraction = text.slice(start, end);
    return end > start ? end : -1;
  };
}

function digits(
  minDigits: number,
  maxDigits: number,
  note: (parts: DatetimeParts, number: number) => unknown,
): FieldParser {
  return (text, at, parts) => {
    const count = countDigits(text, at, maxDigits);
    if (count < minDigits) return -1;
    let number = 0;
    for (let i = at; i < at + count; i++) number = number * 10 + text.charCodeAt(i) - 48;
    note(parts, number);
    return at + count;
  };
}

function countDigits(text: string, at: number, maxDigits: number): number {
  let count = 0;
  while (count < maxDigits) {
    const code = text.charCodeAt(at + count);
    if (!isDigit(code)) break;
    count++;
  }
  return count;
}

function noteShortYear(parts: DatetimeParts, number: number): void {
  parts.year = number;
  parts.hasShortYear = true;
}

/**
 * In `12. Mrz. 2024`, the point after `Mrz` is part of the abbreviation. In `12.Mrz.2024`, a digit follows, so the
 * point is a separator.
 */
function name(
  positions: ReadonlyMap<string, number>,
  note: (parts: DatetimeParts, number: number) => unknown,
  { mayEndWithPoint = false } = {},
): FieldParser {
  const longest = Math.max(...[...positions.keys()].map((text) => text.length));
  return (text, at, parts) => {
    let end = at;
    while (end - at < longest && isPartOfName(text.charCodeAt(end))) end++;
    const number = positions.get(text.slice(at, end).toLowerCase());
    if (number === undefined) return -1;
    note(parts, number);
    const hasPoint = mayEndWithPoint && text.charAt(end) === '.' && !isDigit(text.charCodeAt(end + 1));
    return hasPoint ? end + 1 : end;
  };
}

/** Every character outside ASCII counts as a letter. */
function isPartOfName(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || code > 127;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const HALF = /([ap])(?:m|\.m\.)/iy;

function half(text: string, at: number, parts: DatetimeParts): number {
  HALF.lastIndex = at;
  const [all = '', letter = ''] = HALF.exec(text) ?? [];
  parts.dayPeriod = letter.toLowerCase() === 'p' ? 'pm' : 'am';
  return all ? at + all.length : -1;
}

function offset(pattern: RegExp): FieldParser {
  return (text, at, parts) => {
    if (text.charAt(at).toLowerCase() === 'z') {
      parts.offset = 'Z';
      return at + 1;
    }
    pattern.lastIndex = at;
    const [all = '', sign, hours = '', minutes = '00'] = pattern.exec(text) ?? [];
    if (!all || Number(hours) > MAX_OFFSET_HOURS || Number(minutes) > 59) return -1;
    parts.offset = `${sign}${hours}:${minutes}`;
    return at + all.length;
  };
}

function namedOffset(offsets: ReadonlyMap<string, string>): FieldParser {
  return (text, at, parts) => {
    let end = at;
    while (isPartOfName(text.charCodeAt(end))) end++;
    const found = offsets.get(text.slice(at, end).toLowerCase());
    if (found === undefined) return -1;
    parts.offset = found;
    return end;
  };
}
