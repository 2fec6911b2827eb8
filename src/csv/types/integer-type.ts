import type { ValueReader } from '../formats/column-format.js';
import { createNumberReader, numberFormatOf } from '../formats/number-format.js';
import type { ColumnType } from './column-type.js';

const WHOLE = /^-?[0-9]+$/;
/** Of 64 bits with a sign. Numbers of so many digits are compared as texts. */
const INT64_LIMITS = { '': '9223372036854775807', '-': '9223372036854775808' };

/** Whole numbers of 64 bits, without a unit. `-0` is none, since it is not spelled like zero. */
export const integerType: ColumnType = {
  type: 'Integer',
  propose({ numberFormat: numbers }) {
    if (!numbers || numbers.unit || numbers.isInParentheses) return undefined;
    const { groupSeparator } = numbers.style;
    return { format: { type: 'Integer', ...(groupSeparator && { groupSeparator }) }, doubt: numbers.doubt };
  },
  reader(shape) {
    const style = numberFormatOf(shape);
    return style && integerReader(createNumberReader(style));
  },
  describe: ({ groupSeparator }) => (groupSeparator ? `an integer (1${groupSeparator}234)` : 'an integer'),
};

function integerReader(read: ValueReader): ValueReader {
  return (text) => {
    const number = read(text);
    if (number === undefined || !WHOLE.test(number) || number === '-0') return undefined;
    const sign = number.startsWith('-') ? '-' : '';
    const digits = number.slice(sign.length);
    const greatest = INT64_LIMITS[sign];
    if (digits.length === greatest.length ? digits > greatest : digits.length > greatest.length) return undefined;
    return number;
  };
}
