import type { ValueKind } from './csv-system.js';

const NUMBERS: ReadonlySet<ValueKind> = new Set(['integer', 'number']);

/** Compares numbers by their digits, because `Number` would round long numbers. */
export function isSameValue(expected: string, found: string, kind: ValueKind): boolean {
  if (expected === found) return true;
  if (NUMBERS.has(kind)) return plainNumber(expected) !== undefined && plainNumber(expected) === plainNumber(found);
  if (kind === 'datetime') return Date.parse(isoDateTime(expected)) === Date.parse(isoDateTime(found));
  return false;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Returns the same string for equal numbers, such as `-1.50e1` and `-15`. Returns undefined if the text is not a
 * number.
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

/** Converts a timestamp such as `2024-01-01 01:00:00+00` to ISO 8601. The default time zone is UTC. */
function isoDateTime(text: string): string {
  const [, date, time = '00:00:00', zone = 'Z'] = /^([\d-]+)(?:[T ]([\d:.]+))?(Z|[+-][\d:]+)?$/.exec(text) ?? [];
  const full = zone === 'Z' || zone.includes(':') ? zone : `${zone}:00`;
  return `${date}T${time}${full}`;
}
