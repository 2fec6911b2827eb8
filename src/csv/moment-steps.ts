import { MONTHS, shortNames, WEEKDAYS } from './moment-names.js';
import type { MomentParts } from './spell-moment.js';

/** Reads one part of a value from a position on and notes it. Answers the position behind it, -1 where the part does not stand there. */
export type Step = (text: string, at: number, parts: MomentParts) => number;

export type PartKind = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'half' | 'minute' | 'second' | 'offset';

export interface FormatLetters {
  readonly kind: PartKind;
  readonly step: Step;
}

/** PostgreSQL takes no greater one; no place has more than 14. */
const MOST_OFFSET_HOURS = 15;

/** The letters of Unicode TR 35 that are understood. A number of one letter has one digit or two. */
export const formatLetters: Readonly<Record<string, FormatLetters>> = {
  yyyy: { kind: 'year', step: digits(4, 4, (parts, number) => (parts.year = number)) },
  yy: { kind: 'year', step: digits(2, 2, noteShortYear) },
  M: { kind: 'month', step: digits(1, 2, (parts, number) => (parts.month = number)) },
  MM: { kind: 'month', step: digits(2, 2, (parts, number) => (parts.month = number)) },
  MMM: { kind: 'month', step: name(shortNames(MONTHS), (parts, number) => (parts.month = number)) },
  MMMM: { kind: 'month', step: name(MONTHS, (parts, number) => (parts.month = number)) },
  d: { kind: 'day', step: digits(1, 2, (parts, number) => (parts.day = number)) },
  dd: { kind: 'day', step: digits(2, 2, (parts, number) => (parts.day = number)) },
  EEE: { kind: 'weekday', step: name(shortNames(WEEKDAYS), () => undefined) },
  EEEE: { kind: 'weekday', step: name(WEEKDAYS, () => undefined) },
  H: { kind: 'hour', step: digits(1, 2, (parts, number) => (parts.hour = number)) },
  HH: { kind: 'hour', step: digits(2, 2, (parts, number) => (parts.hour = number)) },
  h: { kind: 'hour', step: digits(1, 2, (parts, number) => (parts.hour = number)) },
  hh: { kind: 'hour', step: digits(2, 2, (parts, number) => (parts.hour = number)) },
  a: { kind: 'half', step: half },
  mm: { kind: 'minute', step: digits(2, 2, (parts, number) => (parts.minute = number)) },
  ss: { kind: 'second', step: digits(2, 2, (parts, number) => (parts.second = number)) },
  X: { kind: 'offset', step: offset(/([-+])([0-9]{2})([0-9]{2})?/y) },
  XX: { kind: 'offset', step: offset(/([-+])([0-9]{2})([0-9]{2})/y) },
  XXX: { kind: 'offset', step: offset(/([-+])([0-9]{2}):([0-9]{2})/y) },
  z: { kind: 'offset', step: namedOffset },
};

/** Characters that stand for themselves, whatever their case. */
export function literal(wanted: string): Step {
  const lower = wanted.toLowerCase();
  return (text, at) => {
    const end = at + wanted.length;
    if (text.startsWith(wanted, at)) return end;
    return text.slice(at, end).toLowerCase() === lower ? end : -1;
  };
}

/** A point and up to so many digits, or nothing. */
export function fraction(point: string, most: number): Step {
  return (text, at, parts) => {
    if (!text.startsWith(point, at)) return at;
    const start = at + point.length;
    const end = start + countDigits(text, start, most);
    parts.fraction = text.slice(start, end);
    return end > start ? end : -1;
  };
}

function digits(least: number, most: number, note: (parts: MomentParts, number: number) => unknown): Step {
  return (text, at, parts) => {
    const count = countDigits(text, at, most);
    if (count < least) return -1;
    let number = 0;
    for (let i = at; i < at + count; i++) number = number * 10 + text.charCodeAt(i) - 48;
    note(parts, number);
    return at + count;
  };
}

function countDigits(text: string, at: number, most: number): number {
  let count = 0;
  while (count < most) {
    const code = text.charCodeAt(at + count);
    if (!(code >= 48 && code <= 57)) break;
    count++;
  }
  return count;
}

function noteShortYear(parts: MomentParts, number: number): void {
  parts.year = number;
  parts.hasShortYear = true;
}

function name(names: readonly string[], note: (parts: MomentParts, number: number) => unknown): Step {
  const numbers = new Map(names.map((text, index) => [text, index + 1]));
  const longest = Math.max(...names.map((text) => text.length));
  return (text, at, parts) => {
    let end = at;
    while (end - at < longest && isLetter(text.charCodeAt(end))) end++;
    const number = numbers.get(text.slice(at, end).toLowerCase());
    if (number === undefined) return -1;
    note(parts, number);
    return end;
  };
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

const HALF = /([ap])(?:m|\.m\.)/iy;

function half(text: string, at: number, parts: MomentParts): number {
  HALF.lastIndex = at;
  const [all = '', letter = ''] = HALF.exec(text) ?? [];
  parts.half = letter.toLowerCase() === 'p' ? 'pm' : 'am';
  return all ? at + all.length : -1;
}

function offset(pattern: RegExp): Step {
  return (text, at, parts) => {
    if (text.charAt(at).toLowerCase() === 'z') {
      parts.offset = 'Z';
      return at + 1;
    }
    pattern.lastIndex = at;
    const [all = '', sign, hours = '', minutes = '00'] = pattern.exec(text) ?? [];
    if (!all || Number(hours) > MOST_OFFSET_HOURS || Number(minutes) > 59) return -1;
    parts.offset = `${sign}${hours}:${minutes}`;
    return at + all.length;
  };
}

function namedOffset(text: string, at: number, parts: MomentParts): number {
  const zone = text.slice(at, at + 3).toLowerCase();
  parts.offset = 'Z';
  return zone === 'utc' || zone === 'gmt' ? at + 3 : -1;
}
