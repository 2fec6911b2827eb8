import type { ColumnFormat, ValueReader } from '../formats/column-format.js';
import {
  columnFormatOf,
  createNumberReader,
  exampleNumber,
  numberFormatOf,
  parseBareNumber,
  UNITS,
} from '../formats/number-format.js';
import type { ColumnType } from './column-type.js';

/** Maximum number of digits of a number, and maximum precision of a column. Most databases have the same limit. */
const MAX_DIGITS = 38;

/** Exact numbers, with or without a fraction. They may have a unit if all of them have the same unit. */
export const decimalType: ColumnType = {
  type: 'Decimal',
  propose({ numberFormat }) {
    if (!numberFormat) return undefined;
    const { style, unit, isInParentheses, doubts } = numberFormat;
    const marks = { ...(unit && { unit }), ...(isInParentheses && { negativeInParentheses: true as const }) };
    return { format: { type: 'Decimal', ...columnFormatOf(style), ...marks }, doubts };
  },
  reader(format) {
    const style = numberFormatOf(format);
    if (!style || (format.unit !== undefined && !UNITS.includes(format.unit))) return undefined;
    const read = withoutExponent(createNumberReader(style));
    return format.unit || format.negativeInParentheses ? markedReader(read, format) : read;
  },
  describe(format) {
    const style = numberFormatOf(format);
    const { unit = '', negativeInParentheses } = format;
    const isUsual = style === undefined || style === numberFormatOf({ type: 'Decimal' });
    const example = `${isUsual ? '1234.5' : exampleNumber(style)}${unit && ` ${unit}`}`;
    if (isUsual && !unit && !negativeInParentheses) return 'a decimal number';
    return `a decimal number (${negativeInParentheses ? `(${example})` : example})`;
  },
  measure(format, values) {
    const read = decimalType.reader(format);
    let whole = 0;
    let scale = 0;
    for (const value of values) {
      const number = read?.(value) ?? '';
      const start = number.startsWith('-') ? 1 : 0;
      const point = number.indexOf('.');
      const end = point < 0 ? number.length : point;
      whole = Math.max(whole, end - start === 1 && number.startsWith('0', start) ? 0 : end - start);
      if (point >= 0) scale = Math.max(scale, number.length - point - 1);
    }
    const precision = Math.max(whole + scale, 1);
    return precision > MAX_DIGITS ? undefined : { ...format, precision, scale };
  },
};

function withoutExponent(read: ValueReader): ValueReader {
  return (text) => {
    const number = read(text);
    if (number === undefined || number.includes('e')) return undefined;
    // The sign and the decimal point do not count as digits.
    return number.length > MAX_DIGITS && number.replace(/[-.]/g, '').length > MAX_DIGITS ? undefined : number;
  };
}

function markedReader(read: ValueReader, { unit, negativeInParentheses }: ColumnFormat): ValueReader {
  return (text) => {
    const bare = parseBareNumber(text);
    if (!bare || bare.unit !== unit || (bare.isInParentheses && !negativeInParentheses)) return undefined;
    const number = read(bare.text);
    return number !== undefined && bare.isInParentheses ? `-${number}` : number;
  };
}
