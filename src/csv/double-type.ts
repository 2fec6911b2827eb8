import type { ValueReader } from './column-shape.js';
import type { ColumnType } from './column-type.js';
import { exampleOf, numberReader, shapeOfStyle, styleOf } from './number-text.js';

const SPECIAL: Readonly<Record<string, string>> = { inf: 'Infinity', infinity: 'Infinity', nan: 'NaN' };
const LONGEST_SPECIAL = 9;

/** Decimal digits that a double always keeps, and those that it may need (IEEE 754). */
const KEPT_DIGITS = 15;
const MOST_DIGITS = 17;

/** Numbers with an exponent, infinities and `nan`, as far as a double of 64 bits keeps their digits. */
export const doubleType: ColumnType = {
  type: 'Double',
  propose({ numbers }) {
    if (!numbers || numbers.unit || numbers.isInParentheses) return undefined;
    return { shape: { type: 'Double', ...shapeOfStyle(numbers.style) }, doubt: numbers.doubt };
  },
  reader(shape) {
    const style = styleOf(shape);
    if (!style) return undefined;
    const read = numberReader(style);
    return (text) => {
      const number = read(text);
      if (number === undefined) return readSpecial(text);
      return isKept(number) ? number : undefined;
    };
  },
  describe(shape) {
    const style = styleOf(shape);
    return style === undefined || !shape.decimalSeparator ? 'a number' : `a number (${exampleOf(style)})`;
  },
};

const readSpecial: ValueReader = (text) => {
  if (text.length > LONGEST_SPECIAL) return undefined;
  const isNegative = text.startsWith('-');
  const word = text.slice(isNegative || text.startsWith('+') ? 1 : 0).toLowerCase();
  const special = Object.hasOwn(SPECIAL, word) ? SPECIAL[word] : undefined;
  return special && isNegative && special !== 'NaN' ? `-${special}` : special;
};

/** Whether a double gives back the digits that stand there. */
function isKept(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const digits = (text.split('e')[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '');
  if (!digits) return true;
  if (number === 0) return false;
  if (digits.length <= KEPT_DIGITS) return true;
  if (digits.length > MOST_DIGITS) return false;
  const again = number.toExponential(digits.length - 1).split('e')[0] ?? '';
  return again.replace(/[-.]/g, '') === digits;
}
