import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATETIME_LANGUAGES } from '../../../src/csv/formats/datetime-names.js';
import { FIELD_TYPES, type SchemaField } from '../../../src/csv/model/data-schema.js';
import { requireFieldReader } from '../../../src/csv/types/field-reader.js';
import { columnValues, valueKinds } from '../../support/csv/column-values.js';
import { inferredColumn } from '../../support/csv/inferred-column.js';

/** Abbreviations of time zones, by offset from UTC. */
const ZONES: Readonly<Record<string, string>> = { Z: 'UTC', '-05:00': 'EST', '+02:00': 'CEST' };
const SPACES = '[ \\u00a0\\u2007\\u2009\\u202f]';
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Returns a pattern for all texts that represent the canonical `value` in the documented format of the field. */
function spellingsOf(field: SchemaField, value: string): RegExp {
  if (['Integer', 'Decimal', 'Double'].includes(field.type)) return numberSpellings(field, value);
  if (field.format !== undefined) return datetimeSpellings(field, value);
  if (field.type === 'Boolean') {
    const [yes, no] = field.booleans ?? ['true', 'false'];
    const digit = yes === 'true' ? `|${value === 'true' ? 1 : 0}` : '';
    return new RegExp(`^(${escaped(value === 'true' ? yes : no)}${digit})$`, 'i');
  }
  return new RegExp(`^${escaped(value)}$`, field.type === 'UUID' ? 'i' : '');
}

function numberSpellings({ unit, groupSeparator, decimalSeparator, ...field }: SchemaField, value: string): RegExp {
  if (value === 'NaN') return /^[-+]?nan$/i;
  if (!/[0-9]/.test(value)) return new RegExp(`^[+]?${value.replace('Infinity', 'inf(inity)?')}$`, 'i');
  const [, sign = '', whole = '', fraction = '', exponent = ''] = /^(-?)([0-9]+)(\.[0-9]+)?(e.*)?$/.exec(value) ?? [];
  const group = groupSeparator === ' ' ? SPACES : groupSeparator === "'" ? "['’]" : escaped(groupSeparator ?? '');
  const grouped = whole.replace(/\B(?=([0-9]{3})+$)/g, '_').replaceAll('_', group);
  const point = decimalSeparator ?? (groupSeparator === '.' ? ',' : '.');
  const optionalWhole = whole === '0' && fraction ? `(0?)` : `(${whole}|${grouped})`;
  const digits = optionalWhole + fraction.replace('.', escaped(point)) + escaped(exponent);
  const mark = unit === undefined ? '' : `( ?${escaped(unit)} ?)?`;
  const signed = sign ? `${mark}-${mark}` : `[+]?${mark}`;
  const inParentheses = sign && field.negativeInParentheses ? `|${mark}\\(${mark}${digits}${mark}\\)` : '';
  return new RegExp(`^(${signed}${digits}${mark}${inParentheses})$`, 'i');
}

function datetimeSpellings({ format = '', language = 'en', type }: SchemaField, value: string): RegExp {
  const found =
    /^(?:(\d{4})-(\d\d)-(\d\d))?T?(?:(\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(Z|[-+]\d\d:\d\d)?$/.exec(value) ?? [];
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', offset = ''] = found;
  const names = DATETIME_LANGUAGES.get(language);
  const namesAt = (list: ReadonlyMap<string, number> | undefined, at: number) =>
    `(${[...(list ?? [])].flatMap(([name, position]) => (position === at ? [name] : [])).join('|')})`;
  const weekday = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDay() || 7;
  const oneOrTwo = (digits: string) => (digits.startsWith('0') ? `0?${digits.slice(1)}` : digits);
  const halfHour = String(Number(hour) % 12 || 12).padStart(2, '0');
  const fields: Record<string, () => string> = {
    yyyy: () => year,
    yy: () => (Number(year) >= 1969 && Number(year) <= 2068 ? year.slice(2) : 'never'),
    M: () => oneOrTwo(month),
    MM: () => month,
    MMM: () => `${namesAt(names?.months.short, Number(month))}\\.?`,
    MMMM: () => namesAt(names?.months.full, Number(month)),
    d: () => oneOrTwo(day),
    dd: () => day,
    EEE: () => `${namesAt(names?.weekdays.short, weekday)}\\.?`,
    EEEE: () => namesAt(names?.weekdays.full, weekday),
    H: () => oneOrTwo(hour),
    HH: () => hour,
    h: () => oneOrTwo(halfHour),
    hh: () => halfHour,
    a: () => (Number(hour) < 12 ? 'a(m|\\.m\\.)' : 'p(m|\\.m\\.)'),
    mm: () => minute,
    ss: () => second,
    X: () => `(${escaped(offset.replace(/:00$/, ''))}|${escaped(offset.replace(':', ''))})`,
    XX: () => escaped(offset.replace(':', '')),
    XXX: () => escaped(offset),
    z: () => '(UTC|GMT)',
    zzz: () => `(${ZONES[offset] ?? 'never'})`,
  };
  const written = format.replace(/'([^']*)'|[.,]S+|([A-Za-z])\2*|[^A-Za-z']/g, (piece, literal?: string) => {
    if (literal !== undefined) return literal;
    if (/^[.,]S/.test(piece)) return fraction ? escaped(piece.charAt(0)) + fraction : '';
    return Object.hasOwn(fields, piece) ? (fields[piece]?.() ?? '') : escaped(piece);
  });
  const isMidnight = type === 'DateTime' && value.endsWith('T00:00:00');
  const dateOnly = isMidnight
    ? `|${datetimeSpellings({ format: dateFormatOf(format), language } as SchemaField, value.slice(0, 10)).source}`
    : '';
  return new RegExp(`^(${written})$${dateOnly}`, 'iu');
}

/** Returns the format up to its last year, month or day field. */
function dateFormatOf(format: string): string {
  return /^.*(?:y+|M+|d+)(?=[^yMd]*$)/.exec(format)?.[0] ?? format;
}

const ISO_DATE = /^\d{4}-\d\d-\d\d/;
const CLOCK = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?';
const NUMBER = '-?(0|[1-9][0-9]*)(\\.[0-9]+)?';
/** For each type, the notation that PostgreSQL and DuckDB can read. */
const CANONICAL: Readonly<Record<string, RegExp>> = {
  Boolean: /^(true|false)$/,
  Integer: /^(0|-?[1-9][0-9]{0,18})$/,
  Decimal: new RegExp(`^${NUMBER}$`),
  Double: new RegExp(`^(${NUMBER}(e[-+]?[0-9]+)?|NaN|-?Infinity)$`),
  Date: /^\d{4}-\d\d-\d\d$/,
  DateTime: new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${CLOCK}$`),
  DateTimeOffset: new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${CLOCK}(Z|[-+]\\d\\d:\\d\\d)$`),
  Time: new RegExp(`^${CLOCK}$`),
  UUID: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** An integer must fit into 64 bits, and a date must exist. */
function isCanonical(type: string, value: string): boolean {
  if (type === 'JSON') return isJson(value);
  const [date] = ISO_DATE.exec(value) ?? [];
  const exists = date === undefined || new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  const isWithin64Bits = type !== 'Integer' || BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  return (CANONICAL[type]?.test(value) ?? true) && exists === true && isWithin64Bits;
}

/** Omits leading zeros and the exponent. */
const significantDigits = (number: string) =>
  number
    .replace(/e.*$/i, '')
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '');

/**
 * Returns as many significant digits of the double as the text has, but at most 17, because 17 digits identify a
 * double.
 */
function digitsOfDouble(value: string): string {
  const count = Math.min(significantDigits(value).length || 1, 17);
  return significantDigits(Number(value).toPrecision(count));
}

function variantsOf(text: string): string[] {
  const swapped = text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
  const longer = [
    `(${text})`,
    `-${text}`,
    `+${text}`,
    `0${text}`,
    `${text}0`,
    `${text}${text}`,
    `${text} EUR`,
    `${text}Z`,
  ];
  const others = [swapped, text.toUpperCase(), text.replace(/\s/g, ''), text.replace(/[0-9]/, '9'), '1', '0'];
  const numbers = [
    text.replace(/:[0-9]{2}/, ':60'),
    text.replace(/:[0-9]{2}(?=[^:]*$)/, ':60'),
    text.replace(/[0-9]{2}$/, '75'),
  ];
  return [...longer, ...others, ...numbers, text.slice(1), text.slice(0, -1)];
}

function expectSame(field: SchemaField, text: string, value: string | null): void {
  if (value === null) {
    expect(['', ...(field.nullTokens ?? [])]).toContain(text.toLowerCase());
    return;
  }
  expect([field.type, value, isCanonical(field.type, value)]).toEqual([field.type, value, true]);
  expect(text).toMatch(spellingsOf(field, value));
  if (field.type === 'Double') expect(digitsOfDouble(value)).toBe(significantDigits(value));
}

describe('a typed column', () => {
  const seen = new Set<string>();
  let later = 0;

  it('has only values that are written the same in its format, in the sample and in later rows', () => {
    fc.assert(
      fc.property(columnValues, fc.array(fc.oneof(...valueKinds), { maxLength: 20 }), (values, rest) => {
        const { field } = inferredColumn(values);
        seen.add(field.type);
        if (field.type === 'String') return;
        const read = requireFieldReader(field);
        for (const text of values.map((value) => value.trim())) expectSame(field, text, read(text) ?? null);
        const others = [...rest, ...values.slice(0, 1).flatMap(variantsOf)];
        for (const text of others.map((value) => value.trim())) {
          const value = read(text);
          if (value === undefined) continue;
          expectSame(field, text, value);
          later++;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(later).toBeGreaterThan(500);
  });

  it('occurs for every type', () => {
    expect([...seen].sort()).toEqual([...FIELD_TYPES].sort());
  });
});
