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

/** Digits of a number, and of a column from its longest whole to its longest fraction: as many as the decimal types of most databases hold. */
const MAX_DIGITS = 38;

/** Numbers that keep each of their digits, with or without a fraction, and maybe with a unit that stands at every one of them. */
export const decimalType: ColumnType = {
  type: 'Decimal',
  propose({ numberFormat: numbers }) {
    if (!numbers) return undefined;
    const { style, unit, isInParentheses, doubt } = numbers;
    const marks = { ...(unit && { unit }), ...(isInParentheses && { negativeInParentheses: true as const }) };
    return { format: { type: 'Decimal', ...columnFormatOf(style), ...marks }, doubt };
  },
  reader(shape) {
    const style = numberFormatOf(shape);
    if (!style || (shape.unit !== undefined && !UNITS.includes(shape.unit))) return undefined;
    const read = withoutExponent(createNumberReader(style));
    return shape.unit || shape.negativeInParentheses ? markedReader(read, shape) : read;
  },
  describe(shape) {
    const style = numberFormatOf(shape);
    const { unit = '', negativeInParentheses } = shape;
    const isUsual = style === undefined || style === numberFormatOf({ type: 'Decimal' });
    const example = `${isUsual ? '1234.5' : exampleNumber(style)}${unit && ` ${unit}`}`;
    if (isUsual && !unit && !negativeInParentheses) return 'a decimal number';
    return `a decimal number (${negativeInParentheses ? `(${example})` : example})`;
  },
  measure(shape, values) {
    const read = decimalType.reader(shape);
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
    return precision > MAX_DIGITS ? undefined : { ...shape, precision, scale };
  },
};

function withoutExponent(read: ValueReader): ValueReader {
  return (text) => {
    const number = read(text);
    if (number === undefined || number.includes('e')) return undefined;
    // A sign and a point are no digits.
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
