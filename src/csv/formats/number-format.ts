import type { ColumnFormat, ValueReader } from './column-format.js';

/** Separators of a number format. A space also matches no-break, figure and thin spaces, and `'` also matches `’`. */
export interface NumberFormat {
  readonly decimalSeparator: '.' | ',';
  readonly groupSeparator: '' | ',' | '.' | ' ' | "'";
}

/** In order of preference, for columns that fit several formats. */
export const NUMBER_FORMATS: readonly NumberFormat[] = [
  { decimalSeparator: '.', groupSeparator: '' },
  { decimalSeparator: '.', groupSeparator: ',' },
  { decimalSeparator: '.', groupSeparator: ' ' },
  { decimalSeparator: '.', groupSeparator: "'" },
  { decimalSeparator: ',', groupSeparator: '' },
  { decimalSeparator: ',', groupSeparator: '.' },
  { decimalSeparator: ',', groupSeparator: ' ' },
  { decimalSeparator: ',', groupSeparator: "'" },
];

export const UNITS = [
  ...['%', '$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₴', 'zł', 'Kč', 'kr', 'R$'],
  ...['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'CNY', 'AUD', 'CAD', 'NZD', 'SEK', 'NOK', 'DKK', 'ISK', 'PLN', 'CZK', 'HUF'],
  ...['RON', 'BGN', 'TRY', 'UAH', 'RUB', 'ILS', 'INR', 'KRW', 'SGD', 'HKD', 'TWD', 'THB', 'IDR', 'MYR', 'PHP', 'ZAR'],
  ...['BRL', 'MXN', 'ARS', 'CLP', 'COP', 'AED', 'SAR', 'EGP', 'NGN', 'KES', 'MAD', 'VND', 'PKR'],
];
export type Unit = string;

/** Longer units come first, because `R$` contains `$`. */
const UNITS_BY_LENGTH = [...UNITS].sort((a, b) => b.length - a.length);
export const UNIT_PATTERN = UNITS_BY_LENGTH.map((unit) => unit.replace('$', '\\$')).join('|');

const [PLUS, MINUS, POINT, ZERO, NINE, LETTER_E] = [43, 45, 46, 48, 57, 101];
const MAX_EXPONENT_DIGITS = 3;
const NO_DIGIT = /[^0-9]+/g;

/** Character codes. The spaces are U+0020 and the no-break, figure, thin and narrow no-break spaces. */
const GROUPS: Readonly<Record<NumberFormat['groupSeparator'], readonly number[]>> = {
  '': [],
  ',': [44],
  '.': [46],
  ' ': [32, 0xa0, 0x2007, 0x2009, 0x202f],
  "'": [39, 0x2019],
};

/**
 * Returns undefined for an unsupported combination of separators. The decimal separator defaults to a comma if the
 * group separator is a point, and otherwise to a point.
 */
export function numberFormatOf({ groupSeparator = '', decimalSeparator }: ColumnFormat): NumberFormat | undefined {
  const point = decimalSeparator ?? (groupSeparator === '.' ? ',' : '.');
  return NUMBER_FORMATS.find((style) => style.decimalSeparator === point && style.groupSeparator === groupSeparator);
}

export function columnFormatOf({ decimalSeparator, groupSeparator }: NumberFormat): Partial<ColumnFormat> {
  return { ...(decimalSeparator === ',' && { decimalSeparator }), ...(groupSeparator && { groupSeparator }) };
}

export function exampleNumber({ decimalSeparator, groupSeparator }: NumberFormat): string {
  return `1${groupSeparator}234${decimalSeparator}5`;
}

/**
 * Creates a reader of numbers without a unit: sign, integer digits with or without groups of three, fraction, exponent.
 * The reader rejects leading zeros. It also rejects a plus sign without a fraction or exponent, because such a string
 * is probably a telephone number. It returns numbers such as `-1234.50` or `1.5e-7`.
 */
export function createNumberReader({ decimalSeparator, groupSeparator }: NumberFormat): ValueReader {
  const point = decimalSeparator.charCodeAt(0);
  const groups = GROUPS[groupSeparator];
  return (text) => {
    const sign = text.charCodeAt(0);
    const start = sign === MINUS || sign === PLUS ? 1 : 0;
    let at = endOfDigits(text, start);
    const firstGroup = at - start;
    const startsWithZero = text.charCodeAt(start) === ZERO;
    if (startsWithZero && firstGroup > 1) return undefined;
    if (firstGroup >= 1 && firstGroup <= 3 && !startsWithZero) {
      while (groups.includes(text.charCodeAt(at)) && endOfDigits(text, at + 1) === at + 4) at += 4;
    }
    const endOfWhole = at;
    if (text.charCodeAt(at) === point) at = endOfDigits(text, at + 1);
    const fractionDigits = at - endOfWhole - 1;
    if (fractionDigits === 0 || (endOfWhole === start && fractionDigits < 0)) return undefined;
    const endOfMantissa = at;
    if ((text.charCodeAt(at) | 32) === LETTER_E) at = endOfExponent(text, at + 1);
    if (at !== text.length || (sign === PLUS && endOfMantissa === endOfWhole && at === endOfMantissa)) return undefined;
    const isPlain = sign !== PLUS && endOfWhole === start + firstGroup && endOfWhole > start;
    if (isPlain && (fractionDigits < 0 || point === POINT) && at === endOfMantissa) return text;
    const whole = text.slice(start, endOfWhole).replace(NO_DIGIT, '') || '0';
    const fraction = fractionDigits > 0 ? `.${text.slice(endOfWhole + 1, endOfMantissa)}` : '';
    return `${sign === MINUS ? '-' : ''}${whole}${fraction}${text.slice(endOfMantissa).toLowerCase()}`;
  };
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at++;
  return at;
}

function endOfExponent(text: string, from: number): number {
  const sign = text.charCodeAt(from);
  const start = sign === MINUS || sign === PLUS ? from + 1 : from;
  const end = endOfDigits(text, start);
  return end > start && end - start <= MAX_EXPONENT_DIGITS ? end : -1;
}

const MARKS = /[^0-9.,'\u2019\s+e-]/i;

/** Text of a number, separated from its unit and parentheses. Parentheses mean a negative number. */
export interface BareNumber {
  readonly text: string;
  readonly unit: Unit | undefined;
  readonly isInParentheses: boolean;
}

/** Returns undefined if signs, parentheses and units are in an invalid order. */
export function parseBareNumber(value: string): BareNumber | undefined {
  if (!MARKS.test(value)) return { text: value, unit: undefined, isInParentheses: false };
  const isInParentheses = value.endsWith(')');
  let text = isInParentheses ? withoutParentheses(value) : value;
  if (text === undefined) return undefined;
  const unit = UNITS_BY_LENGTH.find((sign) => text?.includes(sign));
  if (unit) text = withoutUnit(text, unit);
  if (text === undefined) return undefined;
  if (isInParentheses && !/^[0-9.,]/.test(text)) return undefined;
  return { text, unit, isInParentheses };
}

/** Accepts `($5)` and `$(5)`. */
function withoutParentheses(value: string): string | undefined {
  const open = value.indexOf('(');
  if (open < 0 || (open > 0 && !UNITS.includes(value.slice(0, open).trimEnd()))) return undefined;
  return value.slice(0, open) + value.slice(open + 1, -1);
}

/** Accepts `$5`, `5 $`, `-$5` and `$-5`, with optional spaces. A percent sign must follow the number. */
function withoutUnit(text: string, unit: Unit): string | undefined {
  if (text.endsWith(unit)) return text.slice(0, -unit.length).trimEnd();
  const sign = text.startsWith('-') ? '-' : '';
  const afterSign = text.slice(sign.length);
  if (unit === '%' || !afterSign.startsWith(unit)) return undefined;
  const rest = afterSign.slice(unit.length).trimStart();
  return sign && rest.startsWith('-') ? undefined : sign + rest;
}
