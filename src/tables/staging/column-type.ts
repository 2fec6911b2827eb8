import { formatDate } from '../../csv/formats/format-datetime.js';
import type { FieldType } from '../../csv/model/data-schema.js';
import type { TableField } from '../table-schema.js';

/** How the texts of a type become a column of a Parquet file. */
interface ColumnType {
  /** Of DuckDB. */
  readonly sqlType: (field: TableField) => string;
  /**
   * Whether the column holds a text to the last digit. DuckDB alone would round or guess: it takes `1.5` for the integer 2 and knows 2024-01-01T24:00:00.
   * What is let through here it casts without an error. Left out: it holds any text.
   */
  readonly accepts?: (field: TableField) => (text: string) => boolean;
  /** The cast of what fits; left out: `cast(text as type)`. */
  readonly sqlCast?: (text: string, field: TableField) => string;
  /** What the column holds, for people, where the name of the type does not say it. */
  readonly limits?: (field: TableField) => string;
}

/** Digits of a Decimal, the most that Parquet readers know. */
const MAX_DECIMAL_DIGITS = 38;

const [MIN_INT64, MAX_INT64] = [-(2n ** 63n), 2n ** 63n - 1n];
/** Digits that any integer may have without a closer look, and the most of any. */
const SAFE_DIGITS = 18;
const MAX_INTEGER_DIGITS = 19;

const DOUBLE = /^-?(?:\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const NOT_ZERO = /^[^eE]*[1-9]/;
const SPECIAL_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity']);

/** How texts look, with a 0 for any digit. */
const DATE = '0000-00-00';
const TIME = 'T00:00:00';
const OFFSET = '00:00';
const MAX_OFFSET_HOURS = 15;
/** Days that every month has. */
const MIN_MONTH_DAYS = 28;
/** Digits of the fraction of a second. */
const MAX_FRACTION_DIGITS = 6;

const [ZERO, NINE, MINUS, PLUS, POINT, LETTER_Z] = [48, 57, 45, 43, 46, 90];

const text: ColumnType = { sqlType: () => 'VARCHAR' };

/** Spark reads neither Parquet's UUID nor its TIME, so those are texts. */
const COLUMN_TYPES: Record<FieldType, ColumnType> = {
  String: text,
  Time: text,
  UUID: text,
  JSON: text,
  Boolean: { sqlType: () => 'BOOLEAN', accepts: () => (value) => value === 'true' || value === 'false' },
  Integer: { sqlType: () => 'BIGINT', accepts: () => isInteger, limits: () => '64 bits' },
  Decimal: {
    sqlType: ({ scale = 0 }) => `DECIMAL(${MAX_DECIMAL_DIGITS}, ${scale})`,
    accepts: ({ scale = 0 }) => isDecimal(scale),
    sqlCast: castDecimal,
    limits: ({ scale = 0 }) => `${MAX_DECIMAL_DIGITS} digits, ${scale} of them behind the point`,
  },
  Double: { sqlType: () => 'DOUBLE', accepts: () => isDouble },
  Date: { sqlType: () => 'DATE', accepts: () => isDate },
  DateTime: { sqlType: () => 'TIMESTAMP', accepts: () => isDateTime, limits: () => 'microseconds' },
  DateTimeOffset: { sqlType: () => 'TIMESTAMPTZ', accepts: () => isDateTimeOffset, limits: () => 'microseconds' },
};

/** The value of the column, from the SQL of a text that fits. */
export function castSql(field: TableField, text: string): string {
  const { sqlType, sqlCast } = COLUMN_TYPES[field.type];
  const type = sqlType(field);
  if (type === 'VARCHAR') return text;
  return sqlCast ? sqlCast(text, field) : `cast(${text} as ${type})`;
}

/** The type of the column, as DuckDB has it. */
export function duckDbTypeOf(field: TableField): string {
  return COLUMN_TYPES[field.type].sqlType(field);
}

/** Whether a text fits its column; undefined where each one does. */
export function acceptanceCheckOf(field: TableField): ((text: string) => boolean) | undefined {
  return COLUMN_TYPES[field.type].accepts?.(field);
}

/** Why a text does not fit, with its first 64 characters. */
export function describeRejection(field: TableField, text: string): string {
  const limits = COLUMN_TYPES[field.type].limits?.(field);
  const type = limits ? `${field.type} (${limits})` : field.type;
  return `column "${field.name}": "${text.slice(0, 64)}" does not fit ${type}`;
}

/** What fits into 64 bits DuckDB reads by way of them, at a twentieth of the time. */
function castDecimal(text: string, { scale = 0 }: TableField): string {
  const type = `DECIMAL(${MAX_DECIMAL_DIGITS}, ${scale})`;
  const whole = `cast(${text} as ${type})`;
  if (scale >= SAFE_DIGITS) return whole;
  const short = `cast(cast(${text} as DECIMAL(${SAFE_DIGITS}, ${scale})) as ${type})`;
  return `case when strlen(${text}) <= ${SAFE_DIGITS - scale} then ${short} else ${whole} end`;
}

function isInteger(text: string): boolean {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  const count = text.length - start;
  if (endOfWhole(text, start) !== text.length) return false;
  if (count <= SAFE_DIGITS) return true;
  const value = count > MAX_INTEGER_DIGITS ? undefined : BigInt(text);
  return value !== undefined && value >= MIN_INT64 && value <= MAX_INT64;
}

function isDecimal(scale: number): (text: string) => boolean {
  const wholeDigits = MAX_DECIMAL_DIGITS - scale;
  return (text) => {
    const start = text.charCodeAt(0) === MINUS ? 1 : 0;
    const end = endOfWhole(text, start);
    const isZero = text.charCodeAt(start) === ZERO;
    if (end < 0 || (!isZero && end - start > wholeDigits)) return false;
    return end === text.length || (text.charCodeAt(end) === POINT && isFraction(text, end + 1, text.length, scale));
  };
}

/** Behind the digits of a whole number from `start`; -1 where there are none, or a zero stands before others. */
function endOfWhole(text: string, start: number): number {
  const end = endOfDigits(text, start);
  return end === start || (end - start > 1 && text.charCodeAt(start) === ZERO) ? -1 : end;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at++;
  return at;
}

/** Whether these are digits, of which those behind the first `most` are zeros. */
function isFraction(text: string, start: number, end: number, most: number): boolean {
  if (end === start || endOfDigits(text, start) !== end) return false;
  for (let at = start + most; at < end; at++) if (text.charCodeAt(at) !== ZERO) return false;
  return true;
}

/** More digits than a double has are its nature; a number that becomes infinite or 0 is another one. */
function isDouble(text: string): boolean {
  if (!DOUBLE.test(text)) return SPECIAL_NUMBERS.has(text);
  const number = Number(text);
  return Number.isFinite(number) && (number !== 0 || !NOT_ZERO.test(text));
}

function isDate(text: string): boolean {
  return text.length === DATE.length && beginsWithDate(text);
}

function isDateTime(text: string): boolean {
  return beginsWithDate(text) && endOfTime(text) === text.length;
}

function isDateTimeOffset(text: string): boolean {
  const end = beginsWithDate(text) ? endOfTime(text) : -1;
  const sign = text.charCodeAt(end);
  if (sign === LETTER_Z) return end + 1 === text.length;
  if ((sign !== PLUS && sign !== MINUS) || end + 1 + OFFSET.length !== text.length) return false;
  return isLike(text, OFFSET, end + 1) && twoDigits(text, end + 1) <= MAX_OFFSET_HOURS && twoDigits(text, end + 4) < 60;
}

function beginsWithDate(text: string): boolean {
  if (!isLike(text, DATE, 0)) return false;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  if (year > 0 && month > 0 && month <= 12 && day > 0 && day <= MIN_MONTH_DAYS) return true;
  return formatDate({ year, month, day, hasShortYear: false }) !== undefined;
}

/** Behind the time that follows a date; -1 where there is none. */
function endOfTime(text: string): number {
  const start = DATE.length;
  if (!isLike(text, TIME, start)) return -1;
  if (twoDigits(text, start + 1) > 23 || twoDigits(text, start + 4) > 59 || twoDigits(text, start + 7) > 59) return -1;
  const end = start + TIME.length;
  if (text.charCodeAt(end) !== POINT) return end;
  const endOfFraction = endOfDigits(text, end + 1);
  return isFraction(text, end + 1, endOfFraction, MAX_FRACTION_DIGITS) ? endOfFraction : -1;
}

function isLike(text: string, shape: string, start: number): boolean {
  for (let at = 0; at < shape.length; at++) {
    const wanted = shape.charCodeAt(at);
    const code = text.charCodeAt(start + at);
    if (wanted === ZERO ? !(code >= ZERO && code <= NINE) : code !== wanted) return false;
  }
  return true;
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}
