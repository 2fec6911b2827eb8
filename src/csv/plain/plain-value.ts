import { numberFormatOf } from '../formats/number-format.js';
import type { SchemaField } from '../model/data-schema.js';

/**
 * Checks a value in `bytes` from `start` to `end`. May normalize the value in place. Returns true if the reader of the
 * field (`createFieldReader`) returns exactly the resulting text, and every column of the type can represent this text.
 * If the check returns false, the caller must use this reader.
 */
export type PlainValueCheck = (bytes: Uint8Array, start: number, end: number) => boolean;

const [MINUS, POINT, ZERO, NINE, LETTER_T] = [45, 46, 48, 57, 84];

/**
 * Maximum number of digits of an integer, and on each side of a decimal point. Longer numbers need a comparison with
 * the limits of the type.
 */
const MAX_PLAIN_DIGITS = 18;
const MAX_DECIMAL_DIGITS = 38;
/** Number of decimal digits that every double preserves. */
const MAX_DOUBLE_DIGITS = 15;

/** DuckDB stores times in microseconds. */
const MAX_FRACTION_DIGITS = 6;
/** Days up to 28 exist in every month. */
const MIN_DAYS_PER_MONTH = 28;
const ISO_DATETIME = /^yyyy-MM-dd(?:(?:'T'| )HH:mm:ss(?:\.(S+))?(?:XXX)?)?$/;

const [UUID_LETTER_A, UUID_LETTER_F] = [97, 102];
const UUID_LAYOUT = Buffer.from('00000000-0000-0000-0000-000000000000');

/** Returns undefined if the caller must read every value with `createFieldReader`. */
export function createPlainValueCheck(field: SchemaField): PlainValueCheck | undefined {
  switch (field.type) {
    case 'String':
      return () => true;
    case 'Integer':
      return numberFormatOf(field) && ((bytes, start, end) => isPlainNumber(bytes, start, end, INTEGER));
    case 'Decimal':
    case 'Double':
      return plainNumberCheck(field);
    case 'Boolean':
      return field.booleans === undefined || field.booleans.join() === 'true,false' ? isTrueOrFalse : undefined;
    case 'Date':
    case 'DateTime':
    case 'DateTimeOffset':
      return plainDatetimeCheck(field.format ?? '');
    case 'UUID':
      return isPlainUuid;
    default:
      return undefined;
  }
}

interface PlainNumber {
  readonly point: number;
  readonly maxWhole: number;
  readonly maxFraction: number;
}

const INTEGER: PlainNumber = { point: -1, maxWhole: MAX_PLAIN_DIGITS, maxFraction: -1 };

function plainNumberCheck(field: SchemaField): PlainValueCheck | undefined {
  const format = numberFormatOf(field);
  if (!format || field.unit || field.negativeInParentheses) return undefined;
  const point = format.decimalSeparator.charCodeAt(0);
  const number = { point, ...(field.type === 'Double' ? doubleDigits() : decimalDigits(field.scale ?? 0)) };
  return (bytes, start, end) => isPlainNumber(bytes, start, end, number);
}

function doubleDigits(): Omit<PlainNumber, 'point'> {
  const maxWhole = Math.floor(MAX_DOUBLE_DIGITS / 2);
  return { maxWhole, maxFraction: MAX_DOUBLE_DIGITS - maxWhole };
}

function decimalDigits(scale: number): Omit<PlainNumber, 'point'> {
  return {
    maxWhole: Math.min(MAX_PLAIN_DIGITS, MAX_DECIMAL_DIGITS - scale),
    maxFraction: Math.min(MAX_PLAIN_DIGITS, scale),
  };
}

/**
 * Accepts a number without a plus sign, group separators, leading zeros or an exponent. Replaces a decimal comma with a
 * point.
 */
function isPlainNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
  { point, maxWhole, maxFraction }: PlainNumber,
): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const whole = endOfDigits(bytes, first, end);
  if (whole === first || whole - first > maxWhole) return false;
  const isZero = bytes[first] === ZERO;
  if (isZero && whole - first > 1) return false;
  if (whole === end) return !isZero || first === start; // "-0" is not an integer.
  if (bytes[whole] !== point || end - whole - 1 > maxFraction || end === whole + 1) return false;
  if (endOfDigits(bytes, whole + 1, end) !== end) return false;
  bytes[whole] = POINT;
  return true;
}

function endOfDigits(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isDigit(bytes[at] as number)) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

const [TRUE, FALSE] = [Buffer.from('true'), Buffer.from('false')];

function isTrueOrFalse(bytes: Uint8Array, start: number, end: number): boolean {
  const word = end - start === TRUE.length ? TRUE : FALSE;
  if (end - start !== word.length) return false;
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return false;
  return true;
}

/**
 * Creates a check of ISO 8601 dates, and of date-times with seconds. A space may replace the `T`. The only offset is
 * `Z`.
 */
function plainDatetimeCheck(format: string): PlainValueCheck | undefined {
  const found = ISO_DATETIME.exec(format);
  if (!found || (found[1] ?? '').length > MAX_FRACTION_DIGITS) return undefined;
  const layout = Buffer.from(
    format
      .replaceAll("'", '')
      .replace('XXX', 'Z')
      .replace(/[yMdHmsS]/g, '0'),
  );
  const hasTime = format.includes('HH');
  const hasSpace = format.includes(' ');
  return (bytes, start, end) => {
    if (!matchesLayout(bytes, start, end, layout) || bytes[start] === ZERO) return false;
    if (!isWithin(bytes, start + 5, 1, 12) || !isWithin(bytes, start + 8, 1, MIN_DAYS_PER_MONTH)) return false;
    if (!hasTime) return true;
    if (!isWithin(bytes, start + 11, 0, 23) || !isWithin(bytes, start + 14, 0, 59)) return false;
    if (!isWithin(bytes, start + 17, 0, 59)) return false;
    if (hasSpace) bytes[start + 10] = LETTER_T;
    return true;
  };
}

/** `0` in the layout matches any digit. */
function matchesLayout(bytes: Uint8Array, start: number, end: number, layout: Uint8Array): boolean {
  if (end - start !== layout.length) return false;
  for (let at = 0; at < layout.length; at++) {
    const wanted = layout[at];
    const code = bytes[start + at] as number;
    if (wanted === ZERO ? !isDigit(code) : code !== wanted) return false;
  }
  return true;
}

function isWithin(bytes: Uint8Array, at: number, min: number, max: number): boolean {
  const number = ((bytes[at] as number) - ZERO) * 10 + (bytes[at + 1] as number) - ZERO;
  return number >= min && number <= max;
}

/** Accepts only lower case. */
function isPlainUuid(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== UUID_LAYOUT.length) return false;
  for (let at = 0; at < UUID_LAYOUT.length; at++) {
    const code = bytes[start + at] as number;
    const isHex = isDigit(code) || (code >= UUID_LETTER_A && code <= UUID_LETTER_F);
    if (UUID_LAYOUT[at] === ZERO ? !isHex : code !== UUID_LAYOUT[at]) return false;
  }
  return true;
}
