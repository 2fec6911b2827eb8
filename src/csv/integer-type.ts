import type { ValueReader } from './column-shape.js';
import type { ColumnType } from './column-type.js';
import { numberReader, styleOf } from './number-text.js';

const WHOLE = /^-?[0-9]+$/;
/** Of 64 bits with a sign. Numbers of so many digits are compared as texts. */
const GREATEST = { '': '9223372036854775807', '-': '9223372036854775808' };

/** Whole numbers of 64 bits, without a unit. `-0` is none, since it is not spelled like zero. */
export const integerType: ColumnType = {
  type: 'Integer',
  propose({ numbers }) {
    if (!numbers || numbers.unit || numbers.isInParentheses) return undefined;
    const { groupSeparator } = numbers.style;
    return { shape: { type: 'Integer', ...(groupSeparator && { groupSeparator }) }, doubt: numbers.doubt };
  },
  reader(shape) {
    const style = styleOf(shape);
    return style && integerReader(numberReader(style));
  },
  describe: ({ groupSeparator }) => (groupSeparator ? `an integer (1${groupSeparator}234)` : 'an integer'),
};

function integerReader(read: ValueReader): ValueReader {
  return (text) => {
    const number = read(text);
    if (number === undefined || !WHOLE.test(number) || number === '-0') return undefined;
    const sign = number.startsWith('-') ? '-' : '';
    const digits = number.slice(sign.length);
    const greatest = GREATEST[sign];
    if (digits.length === greatest.length ? digits > greatest : digits.length > greatest.length) return undefined;
    return number;
  };
}
