import type { FieldType } from '../../csv/model/data-schema.js';
import { createFieldReader } from '../../csv/types/field-reader.js';
import { parseJsonString } from './split-record-fields.js';

/** The first character of a JSON value determines its kind. */
export type JsonKind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

const KINDS: Readonly<Record<string, JsonKind>> = {
  '"': 'string',
  '{': 'object',
  '[': 'array',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

export function jsonKindOf(value: string): JsonKind {
  return KINDS[value[0] as string] ?? 'number';
}

/**
 * Maximum number of significant digits of a Double, and maximum length of its notation. The smallest Double has 324
 * leading zeros.
 */
const DOUBLE_DIGITS = 17;
const MAX_DOUBLE_CHARACTERS = 400;

const [ZERO, NINE, SMALL_E, LARGE_E] = [0x30, 0x39, 0x65, 0x45];

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Matches an integer, optionally with a fraction of zeros. */
const WHOLE = /^(-?\d+)(?:\.0+)?$/;

/** Returns a 64-bit integer in canonical form, or undefined for any other number. */
export function parseJsonInteger(value: string): string | undefined {
  const [, digits] = value.length <= 40 ? (WHOLE.exec(value) ?? []) : [];
  if (digits === undefined) return undefined;
  if (digits.length < 16) return digits === '-0' ? '0' : digits;
  const number = BigInt(digits);
  return number < MIN_INT64 || number > MAX_INT64 ? undefined : digits;
}

/**
 * Returns the number unchanged if a Double represents it, or undefined if it has too many digits, is out of range or is
 * too long.
 */
export function parseJsonDouble(value: string): string | undefined {
  if (value.length > MAX_DOUBLE_CHARACTERS || significantDigits(value) > DOUBLE_DIGITS) return undefined;
  return Number.isFinite(Number(value)) ? value : undefined;
}

/** Counts the digits from the first to the last nonzero digit. */
function significantDigits(number: string): number {
  let count = 0;
  let zeros = 0;
  for (let at = 0; at < number.length; at++) {
    const code = number.charCodeAt(at);
    if (code === SMALL_E || code === LARGE_E) break;
    if (code === ZERO) zeros += 1;
    else if (code > ZERO && code <= NINE) {
      count = count === 0 ? 1 : count + zeros + 1;
      zeros = 0;
    }
  }
  return count;
}

/**
 * Converts a non-null JSON value to the canonical form of `ValueReader`, or returns undefined if the value does not
 * match the type.
 */
type JsonReader = (value: string) => string | undefined;

const ofKind =
  (kind: JsonKind, read: JsonReader): JsonReader =>
  (value) =>
    jsonKindOf(value) === kind ? read(value) : undefined;

function textReaderOf(type: FieldType, format?: string): JsonReader {
  const read = createFieldReader({ name: type, type, nullable: false, ...(format && { format }) });
  if (!read) throw new TypeError(`${type} cannot be read`);
  return (text) => read(text) ?? undefined;
}

/** Readers of types without a JSON equivalent. The values of these types are strings. */
export const textReaders = {
  Date: textReaderOf('Date', 'yyyy-MM-dd'),
  DateTime: textReaderOf('DateTime', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"),
  DateTimeOffset: textReaderOf('DateTimeOffset', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"),
  Time: textReaderOf('Time', 'HH:mm:ss.SSSSSS'),
  UUID: textReaderOf('UUID'),
};

const ofString = (read: JsonReader): JsonReader => ofKind('string', (value) => read(parseJsonString(value)));

const decimalOfText = ofString(textReaderOf('Decimal'));

/** Accepts numeric strings, too. Many senders write amounts as strings, because most JSON parsers round numbers. */
const readDecimal: JsonReader = (value) => (jsonKindOf(value) === 'number' ? value : decimalOfText(value));

/** Rejects lone surrogates, because UTF-8 files cannot represent them. */
const readString = ofString((text) => (text.isWellFormed() ? text : undefined));

export const jsonReaders: Readonly<Record<FieldType, JsonReader>> = {
  String: readString,
  Boolean: ofKind('boolean', (value) => value),
  Integer: ofKind('number', parseJsonInteger),
  Decimal: readDecimal,
  Double: ofKind('number', parseJsonDouble),
  Date: ofString(textReaders.Date),
  DateTime: ofString(textReaders.DateTime),
  DateTimeOffset: ofString(textReaders.DateTimeOffset),
  Time: ofString(textReaders.Time),
  UUID: ofString(textReaders.UUID),
  JSON: (value) => value,
};
