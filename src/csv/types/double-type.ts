import type { ValueReader } from '../formats/column-format.js';
import { columnFormatOf, createNumberReader, exampleNumber, numberFormatOf } from '../formats/number-format.js';
import type { ColumnType } from './column-type.js';

const SPECIAL: Readonly<Record<string, string>> = { inf: 'Infinity', infinity: 'Infinity', nan: 'NaN' };
const MAX_SPECIAL_CHARACTERS = 9;

/** Decimal digits that a double always keeps, and those that it may need (IEEE 754). */
const EXACT_DIGITS = 15;
const MAX_DIGITS = 17;

/** Numbers with an exponent, infinities and `nan`, as far as a double of 64 bits keeps their digits. */
export const doubleType: ColumnType = {
  type: 'Double',
  propose({ numberFormat: numbers }) {
    if (!numbers || numbers.unit || numbers.isInParentheses) return undefined;
    return { format: { type: 'Double', ...columnFormatOf(numbers.style) }, doubt: numbers.doubt };
  },
  reader(shape) {
    const style = numberFormatOf(shape);
    if (!style) return undefined;
    const read = createNumberReader(style);
    return (text) => {
      const number = read(text);
      if (number === undefined) return readSpecial(text);
      return isExact(number) ? number : undefined;
    };
  },
  describe(shape) {
    const style = numberFormatOf(shape);
    return style === undefined || !shape.decimalSeparator ? 'a number' : `a number (${exampleNumber(style)})`;
  },
};

const readSpecial: ValueReader = (text) => {
  if (text.length > MAX_SPECIAL_CHARACTERS) return undefined;
  const isNegative = text.startsWith('-');
  const word = text.slice(isNegative || text.startsWith('+') ? 1 : 0).toLowerCase();
  const special = Object.hasOwn(SPECIAL, word) ? SPECIAL[word] : undefined;
  return special && isNegative && special !== 'NaN' ? `-${special}` : special;
};

/** Whether a double gives back the digits that stand there. */
function isExact(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const digits = (text.split('e')[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '');
  if (!digits) return true;
  if (number === 0) return false;
  if (digits.length <= EXACT_DIGITS) return true;
  if (digits.length > MAX_DIGITS) return false;
  const again = number.toExponential(digits.length - 1).split('e')[0] ?? '';
  return again.replace(/[-.]/g, '') === digits;
}
