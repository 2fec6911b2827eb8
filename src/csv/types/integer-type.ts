import type { ValueReader } from '../formats/column-format.js';
import { createNumberReader, numberFormatOf } from '../formats/number-format.js';
import type { ColumnType } from './column-type.js';

const WHOLE = /^-?[0-9]+$/;
/** Limits of signed 64-bit integers, for the comparison with strings of equal length. */
const INT64_LIMITS = { '': '9223372036854775807', '-': '9223372036854775808' };

/** 64-bit integers without a unit. Rejects `-0`, because an integer would lose the sign. */
export const integerType: ColumnType = {
  type: 'Integer',
  propose({ numberFormat }) {
    if (!numberFormat || numberFormat.unit || numberFormat.isInParentheses) return undefined;
    const { groupSeparator } = numberFormat.style;
    return { format: { type: 'Integer', ...(groupSeparator && { groupSeparator }) }, doubts: numberFormat.doubts };
  },
  reader(format) {
    const style = numberFormatOf(format);
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
