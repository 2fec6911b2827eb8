import type { ValueReader } from './column-format.js';
import {
  type DatetimeField,
  type DatetimeFieldKind,
  datetimeFieldsOf,
  type FieldParser,
  fractionParser,
  literalParser,
} from './datetime-fields.js';
import { type DatetimeParts, formatDate, formatTime, fullYearOf, weekdayOf } from './format-datetime.js';
import { createIsoDatetimeTest } from './iso-datetime.js';

export interface DatetimeFormat {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  readonly read: ValueReader;
}

/**
 * `parsers` read a value from left to right. If the time is optional, a value may end after the first `dateParserCount`
 * parsers.
 */
interface FormatProgram {
  readonly parsers: readonly FieldParser[];
  readonly kinds: readonly DatetimeFieldKind[];
  readonly dateParserCount: number;
}

const MAX_FORMAT_CHARACTERS = 64;
const MAX_FRACTION_DIGITS = 9;

/** Matches a quoted literal, one or more equal letters, or another character. */
const PIECE = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g;

/**
 * Compiles a format of Unicode TR 35. Returns undefined for an unsupported language, and for a format that is too long,
 * has an unsupported or repeated field, or lacks a field that a date or time needs. The parser never backtracks. In a
 * value:
 * - Names are case-insensitive, and an abbreviation may end with a point.
 * - A weekday must be the weekday of the date.
 * - `.SSS` is an optional fraction of a second: a point with 1 to 3 digits.
 * - The time is optional if the format has a date and a time without an offset. A missing time means midnight.
 */
export function compileDatetimeFormat(format: string, language?: string): DatetimeFormat | undefined {
  const fields = datetimeFieldsOf(language);
  const program = fields && format.length <= MAX_FORMAT_CHARACTERS ? compileProgram(format, fields) : undefined;
  if (!program) return undefined;
  const has = (kind: DatetimeFieldKind) => program.kinds.includes(kind);
  const [hasDate, hasTime, hasOffset] = [has('day'), has('minute'), has('offset')];
  const read = readerOf(program, { hasDate, hasTime });
  const isCanonical = createIsoDatetimeTest(format);
  return { hasDate, hasTime, hasOffset, read: isCanonical ? (text) => (isCanonical(text) ? text : read(text)) : read };
}

function compileProgram(format: string, fields: Readonly<Record<string, DatetimeField>>): FormatProgram | undefined {
  const pieces = format.match(PIECE) ?? [];
  if (pieces.join('') !== format) return undefined;
  const parsers: FieldParser[] = [];
  const kinds: DatetimeFieldKind[] = [];
  let dateParserCount = 0;
  for (const [at, piece] of pieces.entries()) {
    if (pieces[at + 1]?.startsWith('S')) continue;
    if (piece.startsWith('S')) {
      const point = pieces[at - 1];
      if ((point !== '.' && point !== ',') || piece.length > MAX_FRACTION_DIGITS || kinds.at(-1) !== 'second')
        return undefined;
      parsers.push(fractionParser(point, piece.length));
    } else if (/^[A-Za-z]/.test(piece)) {
      const letters = Object.hasOwn(fields, piece) ? fields[piece] : undefined;
      if (!letters) return undefined;
      parsers.push(letters.parse);
      kinds.push(letters.kind);
      if (['year', 'month', 'day'].includes(letters.kind)) dateParserCount = parsers.length;
    } else parsers.push(literalParser(unquoted(piece)));
  }
  return isComplete(kinds, format) ? { parsers, kinds, dateParserCount } : undefined;
}

/** Returns the text of a quoted literal. `'T'` is a literal T, and `''` is a quote. Only letters need quotes. */
function unquoted(piece: string): string {
  return piece.startsWith("'") ? piece.slice(1, -1).replaceAll("''", "'") || "'" : piece;
}

/**
 * Every field may occur only once. These fields occur only together: year, month and day; hour and minute; AM/PM and
 * `h`. A weekday requires a date, seconds require a time, and an offset requires both a date and a time.
 */
function isComplete(kinds: readonly DatetimeFieldKind[], format: string): boolean {
  if (new Set(kinds).size !== kinds.length) return false;
  const has = (kind: DatetimeFieldKind) => kinds.includes(kind);
  const [isDate, isTime] = [has('day'), has('minute')];
  if (has('year') !== isDate || has('month') !== isDate || (has('weekday') && !isDate)) return false;
  if (has('hour') !== isTime || (has('second') && !isTime)) return false;
  if (has('half') !== format.replace(/'[^']*'/g, '').includes('h')) return false;
  return has('offset') ? isDate && isTime : isDate || isTime;
}

function readerOf(
  { parsers, dateParserCount, kinds }: FormatProgram,
  has: { hasDate: boolean; hasTime: boolean },
): ValueReader {
  const dateMayStandAlone = has.hasDate && has.hasTime && !kinds.includes('offset');
  return (text) => {
    const parts = emptyParts();
    let at = 0;
    let index = 0;
    for (const parse of parsers) {
      if (at === text.length && index === dateParserCount && dateMayStandAlone) break;
      at = parse(text, at, parts);
      if (at < 0) return undefined;
      index++;
    }
    return at === text.length ? formatDatetime(parts, has) : undefined;
  };
}

function emptyParts(): DatetimeParts {
  return {
    year: 0,
    hasShortYear: false,
    month: 0,
    day: 0,
    weekday: 0,
    hour: 0,
    dayPeriod: '',
    minute: 0,
    second: 0,
    fraction: '',
    offset: '',
  };
}

/**
 * Returns a date, a time or both in ISO 8601, such as `2024-01-31T10:00:00+02:00`. Returns undefined for an invalid
 * date or time, or a wrong weekday.
 */
function formatDatetime(
  parts: DatetimeParts,
  { hasDate, hasTime }: { hasDate: boolean; hasTime: boolean },
): string | undefined {
  const date = hasDate ? formatDate(parts) : '';
  const time = hasTime ? formatTime(parts) : '';
  if (date === undefined || time === undefined) return undefined;
  if (parts.weekday && parts.weekday !== weekdayOf({ ...parts, year: fullYearOf(parts) })) return undefined;
  return date && time ? `${date}T${time}${parts.offset}` : date + time;
}
