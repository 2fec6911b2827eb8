import { formatDate } from '../../csv/formats/format-datetime.js';
import type { FieldType } from '../../csv/model/data-schema.js';
import type { TableField } from '../table-schema.js';

interface ColumnType {
  readonly sqlType: (field: TableField) => string;
  /**
   * Returns whether the column can represent a string exactly. DuckDB alone is too lenient: it casts `1.5` to the
   * integer 2 and accepts `2024-01-01T24:00:00`. The cast must succeed for every accepted string. Without this
   * function, the column accepts any string.
   */
  readonly accepts?: (field: TableField) => (text: string) => boolean;
  /** SQL that casts an accepted string. Defaults to `cast(text as type)`. */
  readonly sqlCast?: (text: string, field: TableField) => string;
  /** Text about the limits of the column, for error messages. Omitted if the name of the type implies the limits. */
  readonly limits?: (field: TableField) => string;
}

/** Maximum precision of a decimal in Parquet readers. */
const MAX_DECIMAL_DIGITS = 38;

const [MIN_INT64, MAX_INT64] = [-(2n ** 63n), 2n ** 63n - 1n];
/** Every integer with at most this number of digits fits. Longer integers need a comparison with the limits. */
const SAFE_DIGITS = 18;
const MAX_INTEGER_DIGITS = 19;

const DOUBLE = /^-?(?:\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const NOT_ZERO = /^[^eE]*[1-9]/;
const SPECIAL_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity']);

/** Layouts of values. `0` matches any digit. */
const DATE = '0000-00-00';
const TIME = 'T00:00:00';
const OFFSET = '00:00';
const MAX_OFFSET_HOURS = 15;
/** Days up to 28 exist in every month. */
const MIN_MONTH_DAYS = 28;
/** DuckDB stores times in microseconds. */
const MAX_FRACTION_DIGITS = 6;

const [ZERO, NINE, MINUS, PLUS, POINT, LETTER_Z] = [48, 57, 45, 43, 46, 90];

const text: ColumnType = { sqlType: () => 'VARCHAR' };

/** UUIDs and times of day are stored as text, because Spark cannot read the types UUID and TIME of Parquet. */
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
    limits: ({ scale = 0 }) => `${MAX_DECIMAL_DIGITS} digits, ${scale} decimal places`,
  },
  Double: { sqlType: () => 'DOUBLE', accepts: () => isDouble },
  Date: { sqlType: () => 'DATE', accepts: () => isDate },
  DateTime: { sqlType: () => 'TIMESTAMP', accepts: () => isDateTime, limits: () => 'microsecond precision' },
  DateTimeOffset: {
    sqlType: () => 'TIMESTAMPTZ',
    accepts: () => isDateTimeOffset,
    limits: () => 'microsecond precision',
  },
};

/** `text` is an SQL expression for an accepted string. */
export function castSql(field: TableField, text: string): string {
  const { sqlType, sqlCast } = COLUMN_TYPES[field.type];
  const type = sqlType(field);
  if (type === 'VARCHAR') return text;
  return sqlCast ? sqlCast(text, field) : `cast(${text} as ${type})`;
}

export function duckDbTypeOf(field: TableField): string {
  return COLUMN_TYPES[field.type].sqlType(field);
}

/**
 * Returns a function that checks whether the column can represent a string exactly. Returns undefined if the column
 * accepts any string.
 */
export function acceptanceCheckOf(field: TableField): ((text: string) => boolean) | undefined {
  return COLUMN_TYPES[field.type].accepts?.(field);
}

export function describeRejection(field: TableField, text: string): string {
  return `column "${field.name}": ${describeMisfit(field, text)}`;
}

/** Like `describeRejection`, but without the name of the column. Quotes at most 64 characters of the string. */
export function describeMisfit(field: TableField, text: string): string {
  const limits = COLUMN_TYPES[field.type].limits?.(field);
  const type = limits ? `${field.type} (${limits})` : field.type;
  return `"${text.slice(0, 64)}" does not fit ${type}`;
}

/** A cast through a 64-bit decimal, if the value fits, is about 20 times faster than a direct cast. */
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

/**
 * Returns the index after the integer digits at `start`. Returns -1 if there are no digits, or if the first of
 * several digits is zero.
 */
function endOfWhole(text: string, start: number): number {
  const end = endOfDigits(text, start);
  return end === start || (end - start > 1 && text.charCodeAt(start) === ZERO) ? -1 : end;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at++;
  return at;
}

/** Returns whether the range contains only digits, and only zeros after the first `scale` digits. */
function isFraction(text: string, start: number, end: number, scale: number): boolean {
  if (end === start || endOfDigits(text, start) !== end) return false;
  for (let at = start + scale; at < end; at++) if (text.charCodeAt(at) !== ZERO) return false;
  return true;
}

/** Accepts excess digits, which are rounded as in any double. Rejects overflow to infinity and underflow to 0. */
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
  return (
    matchesLayout(text, OFFSET, end + 1) &&
    twoDigits(text, end + 1) <= MAX_OFFSET_HOURS &&
    twoDigits(text, end + 4) < 60
  );
}

function beginsWithDate(text: string): boolean {
  if (!matchesLayout(text, DATE, 0)) return false;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  if (year > 0 && month > 0 && month <= 12 && day > 0 && day <= MIN_MONTH_DAYS) return true;
  return formatDate({ year, month, day, hasShortYear: false }) !== undefined;
}

function endOfTime(text: string): number {
  const start = DATE.length;
  if (!matchesLayout(text, TIME, start)) return -1;
  if (twoDigits(text, start + 1) > 23 || twoDigits(text, start + 4) > 59 || twoDigits(text, start + 7) > 59) return -1;
  const end = start + TIME.length;
  if (text.charCodeAt(end) !== POINT) return end;
  const endOfFraction = endOfDigits(text, end + 1);
  return isFraction(text, end + 1, endOfFraction, MAX_FRACTION_DIGITS) ? endOfFraction : -1;
}

function matchesLayout(text: string, layout: string, start: number): boolean {
  for (let at = 0; at < layout.length; at++) {
    const wanted = layout.charCodeAt(at);
    const code = text.charCodeAt(start + at);
    if (wanted === ZERO ? !(code >= ZERO && code <= NINE) : code !== wanted) return false;
  }
  return true;
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}
