import type { Doubt, ValueReader } from '../formats/column-format.js';
import { columnFormatOf, createNumberReader, exampleNumber, numberFormatOf } from '../formats/number-format.js';
import type { ColumnType } from './column-type.js';

const SPECIAL: Readonly<Record<string, string>> = { inf: 'Infinity', infinity: 'Infinity', nan: 'NaN' };
const MAX_SPECIAL_CHARACTERS = 9;

const LIKE_CODE = /^[0-9]+e[0-9]{1,3}$/i;
const SCIENTIFIC = /^[-+]?[0-9]*(?:[.,][0-9]+e[-+]?|e[-+])[0-9]{1,3}$/i;

/** Every normal double preserves 15 decimal digits, and no double needs more than 17 (IEEE 754). */
const EXACT_DIGITS = 15;
const MAX_DIGITS = 17;

/** The smallest normal double. Smaller doubles preserve fewer digits. */
const MIN_NORMAL = 2 ** -1022;

/**
 * Floating-point numbers, including exponents, infinities and `nan`. A 64-bit double must preserve all digits of a
 * value.
 */
export const doubleType: ColumnType = {
  type: 'Double',
  propose({ numberFormat, values }) {
    if (!numberFormat || numberFormat.unit || numberFormat.isInParentheses) return undefined;
    const doubts = [...numberFormat.doubts, ...codeDoubts(values)];
    return { format: { type: 'Double', ...columnFormatOf(numberFormat.style) }, doubts };
  },
  reader(format) {
    const style = numberFormatOf(format);
    if (!style) return undefined;
    const read = createNumberReader(style);
    return (text) => {
      const number = read(text);
      if (number === undefined) return readSpecial(text);
      return isExact(number) ? number : undefined;
    };
  },
  describe(format) {
    const style = numberFormatOf(format);
    return style === undefined || !format.decimalSeparator ? 'a number' : `a number (${exampleNumber(style)})`;
  },
};

/** `12E4` may be a part number, unless the column contains a number such as `1.5E4` or `12E-4`. */
function codeDoubts(values: readonly string[]): Doubt[] {
  const code = values.find((value) => LIKE_CODE.test(value));
  if (code === undefined || values.some((value) => SCIENTIFIC.test(value))) return [];
  return [{ level: 'undecided', reason: `"${code}" may be a code, or a number with an exponent.` }];
}

const readSpecial: ValueReader = (text) => {
  if (text.length > MAX_SPECIAL_CHARACTERS) return undefined;
  const isNegative = text.startsWith('-');
  const word = text.slice(isNegative || text.startsWith('+') ? 1 : 0).toLowerCase();
  const special = Object.hasOwn(SPECIAL, word) ? SPECIAL[word] : undefined;
  return special && isNegative && special !== 'NaN' ? `-${special}` : special;
};

function isExact(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const digits = (text.split('e')[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '');
  if (!digits) return true;
  if (number === 0) return false;
  if (digits.length <= EXACT_DIGITS && Math.abs(number) >= MIN_NORMAL) return true;
  if (digits.length > MAX_DIGITS) return false;
  const again = number.toExponential(digits.length - 1).split('e')[0] ?? '';
  return again.replace(/[-.]/g, '') === digits;
}
