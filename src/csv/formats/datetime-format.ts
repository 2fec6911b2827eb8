import type { ValueReader } from './column-format.js';
import {
  type DatetimeField,
  type DatetimeFieldKind,
  datetimeFields,
  type FieldParser,
  fractionParser,
  literalParser,
} from './datetime-fields.js';
import { type DatetimeParts, formatDate, formatTime } from './format-datetime.js';
import { createIsoDatetimeTest } from './iso-datetime.js';

/** What a format makes of a value. */
export interface DatetimeFormat {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  readonly read: ValueReader;
}

/** Steps in order, and how many of them the date takes where it may stand alone. */
interface FormatProgram {
  readonly parsers: readonly FieldParser[];
  readonly kinds: readonly DatetimeFieldKind[];
  readonly dateParserCount: number;
}

const MAX_FORMAT_CHARACTERS = 64;
const MAX_FRACTION_DIGITS = 9;

/** A quoted text, equal letters in a row, or one other character. */
const PIECE = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g;

/**
 * Compiles a format in the letters of Unicode TR 35. Undefined where it holds others, a part twice, or lacks one that a date or a time needs.
 * Names are English, case does not matter. `S` stands for a fraction of up to as many digits, or for none together with the point in front. A value
 * of a format with date and time may be a date alone: that is its midnight. Values are read in one pass, without turning back.
 */
export function compileDatetimeFormat(format: string): DatetimeFormat | undefined {
  const course = format.length <= MAX_FORMAT_CHARACTERS ? compileProgram(format) : undefined;
  if (!course) return undefined;
  const has = (kind: DatetimeFieldKind) => course.kinds.includes(kind);
  const [hasDate, hasTime, hasOffset] = [has('day'), has('minute'), has('offset')];
  const read = readerOf(course, { hasDate, hasTime });
  const isSpelled = createIsoDatetimeTest(format);
  return { hasDate, hasTime, hasOffset, read: isSpelled ? (text) => (isSpelled(text) ? text : read(text)) : read };
}

function compileProgram(format: string): FormatProgram | undefined {
  const pieces = format.match(PIECE) ?? [];
  if (pieces.join('') !== format) return undefined;
  const steps: FieldParser[] = [];
  const kinds: DatetimeFieldKind[] = [];
  let dateSteps = 0;
  for (const [at, piece] of pieces.entries()) {
    if (pieces[at + 1]?.startsWith('S')) continue;
    if (piece.startsWith('S')) {
      const point = pieces[at - 1];
      if ((point !== '.' && point !== ',') || piece.length > MAX_FRACTION_DIGITS || kinds.at(-1) !== 'second')
        return undefined;
      steps.push(fractionParser(point, piece.length));
    } else if (/^[A-Za-z]/.test(piece)) {
      const letters: DatetimeField | undefined = Object.hasOwn(datetimeFields, piece)
        ? datetimeFields[piece]
        : undefined;
      if (!letters) return undefined;
      steps.push(letters.parse);
      kinds.push(letters.kind);
      if (['year', 'month', 'day'].includes(letters.kind)) dateSteps = steps.length;
    } else steps.push(literalParser(unquoted(piece)));
  }
  return isComplete(kinds, format) ? { parsers: steps, kinds, dateParserCount: dateSteps } : undefined;
}

/** `'T'` is a T and `''` a quote; what is no letter needs no quotes. */
function unquoted(piece: string): string {
  return piece.startsWith("'") ? piece.slice(1, -1).replaceAll("''", "'") || "'" : piece;
}

/** Each part once. A date has year, month and day, a time hour and minute, half a day goes with `h`, an offset with both. */
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
  { parsers: steps, dateParserCount: dateSteps, kinds }: FormatProgram,
  has: { hasDate: boolean; hasTime: boolean },
): ValueReader {
  const dateMayStandAlone = has.hasDate && has.hasTime && !kinds.includes('offset');
  return (text) => {
    const parts = emptyParts();
    let at = 0;
    let index = 0;
    for (const step of steps) {
      if (at === text.length && index === dateSteps && dateMayStandAlone) break;
      at = step(text, at, parts);
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
    hour: 0,
    dayPeriod: '',
    minute: 0,
    second: 0,
    fraction: '',
    offset: '',
  };
}

/** ISO 8601: `2024-01-31`, `10:00:00.5`, `2024-01-31T10:00:00+02:00`. */
function formatDatetime(
  parts: DatetimeParts,
  { hasDate, hasTime }: { hasDate: boolean; hasTime: boolean },
): string | undefined {
  const date = hasDate ? formatDate(parts) : '';
  const time = hasTime ? formatTime(parts) : '';
  if (date === undefined || time === undefined) return undefined;
  return date && time ? `${date}T${time}${parts.offset}` : date + time;
}
