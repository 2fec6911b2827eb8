import type { FieldType } from '../../csv/model/data-schema.js';
import { createFieldReader } from '../../csv/types/field-reader.js';
import { parseJsonString } from './split-record-fields.js';

/** What a JSON value is, told by its text. */
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

/** Digits that a Double gives back as they were, and characters that no spelling of one needs more than: the least has 324 zeros in front. */
const DOUBLE_DIGITS = 17;
const MAX_DOUBLE_CHARACTERS = 400;

const [ZERO, NINE, SMALL_E, LARGE_E] = [0x30, 0x39, 0x65, 0x45];

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Behind a point stand zeros alone, if there is one. */
const WHOLE = /^(-?\d+)(?:\.0+)?$/;

/** The number as an integer of 64 bits is spelled; undefined where it is none. */
export function parseJsonInteger(value: string): string | undefined {
  const [, digits] = value.length <= 40 ? (WHOLE.exec(value) ?? []) : [];
  if (digits === undefined) return undefined;
  if (digits.length < 16) return digits === '-0' ? '0' : digits;
  const number = BigInt(digits);
  return number < MIN_INT64 || number > MAX_INT64 ? undefined : digits;
}

/** The number as it stands, if a Double holds it; undefined where it has more digits than that, is too large, or is spelled too long. */
export function parseJsonDouble(value: string): string | undefined {
  if (value.length > MAX_DOUBLE_CHARACTERS || significantDigits(value) > DOUBLE_DIGITS) return undefined;
  return Number.isFinite(Number(value)) ? value : undefined;
}

/** From the first one that is not 0 to the last one. */
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

/** Reads the text of a JSON value that is not null into the spelling of `ValueReader`; undefined where it is not of the type. */
type JsonReader = (value: string) => string | undefined;

const ofKind =
  (kind: JsonKind, read: JsonReader): JsonReader =>
  (value) =>
    jsonKindOf(value) === kind ? read(value) : undefined;

/** Of a type that JSON has no values of: they are strings, in the spelling of RFC 3339 and its like. */
function ofTextType(type: FieldType, format?: string): JsonReader {
  const read = createFieldReader({ name: type, type, nullable: false, ...(format && { format }) });
  if (!read) throw new TypeError(`${type} cannot be read`);
  return ofKind('string', (value) => read(parseJsonString(value)) ?? undefined);
}

const decimalOfText = ofTextType('Decimal');

/** A number, or a string that spells one: many senders write amounts as text, since most readers of JSON would round them. */
const readDecimal: JsonReader = (value) => (jsonKindOf(value) === 'number' ? value : decimalOfText(value));

/** A string with half of a surrogate pair is no text that a file could hold. */
const readString = ofKind('string', (value) => {
  const text = parseJsonString(value);
  return text.isWellFormed() ? text : undefined;
});

export const jsonReaders: Readonly<Record<FieldType, JsonReader>> = {
  String: readString,
  Boolean: ofKind('boolean', (value) => value),
  Integer: ofKind('number', parseJsonInteger),
  Decimal: readDecimal,
  Double: ofKind('number', parseJsonDouble),
  Date: ofTextType('Date', 'yyyy-MM-dd'),
  DateTime: ofTextType('DateTime', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"),
  DateTimeOffset: ofTextType('DateTimeOffset', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"),
  Time: ofTextType('Time', 'HH:mm:ss.SSSSSS'),
  UUID: ofTextType('UUID'),
  JSON: (value) => value,
};
