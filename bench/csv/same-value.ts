import type { ValueKind } from './csv-system.js';

const NUMBERS: ReadonlySet<ValueKind> = new Set(['integer', 'number']);

/**
 * Returns whether two canonical strings have the same value. Compares numbers by their digits, so that every digit
 * counts.
 */
export function isSameValue(expected: string, found: string, kind: ValueKind): boolean {
  if (expected === found) return true;
  if (NUMBERS.has(kind)) return plainNumber(expected) !== undefined && plainNumber(expected) === plainNumber(found);
  if (kind === 'datetime') return Date.parse(isoDateTime(expected)) === Date.parse(isoDateTime(found));
  return false;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Returns sign, digits and exponent without insignificant zeros, so that `-1.50e1` and `-15` are equal. Returns
 * undefined for any other string.
 */
function plainNumber(text: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

/** Converts a time of a database, such as `2024-01-01 01:00:00+00`, to ISO 8601. A time without a zone is in UTC. */
function isoDateTime(text: string): string {
  const [, date, time = '00:00:00', zone = 'Z'] = /^([\d-]+)(?:[T ]([\d:.]+))?(Z|[+-][\d:]+)?$/.exec(text) ?? [];
  const full = zone === 'Z' || zone.includes(':') ? zone : `${zone}:00`;
  return `${date}T${time}${full}`;
}
