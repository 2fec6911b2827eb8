import type { ColumnFormat, Doubt } from '../formats/column-format.js';

/** Lengths of common identifiers with a check digit, from EAN-8 to payment cards. */
const LIKE_IDENTIFIER = /^[0-9]{8,19}$/;

/**
 * A random number has a valid check digit with probability 1/10, so ten random numbers all have one with probability
 * 10^-10.
 */
const MIN_DISTINCT_VALUES = 10;

/**
 * `weigh` applies to every second digit, counted from the right. All other digits count once. A number is valid if the
 * sum is a multiple of 10.
 */
const SCHEMES: readonly { readonly name: string; readonly weigh: (digit: number) => number }[] = [
  { name: 'Luhn', weigh: (digit) => (digit > 4 ? 2 * digit - 9 : 2 * digit) },
  { name: 'GTIN', weigh: (digit) => 3 * digit },
];

/**
 * Returns a doubt if all numbers have the same length and a valid check digit. Such numbers probably identify products,
 * companies or cards, and are not amounts.
 */
export function checkDigitDoubts({ type, groupSeparator }: ColumnFormat, values: readonly string[]): Doubt[] {
  if (!(type === 'Integer' || type === 'Decimal') || groupSeparator) return [];
  const [first = ''] = values;
  const isAlike = (value: string) => value.length === first.length && LIKE_IDENTIFIER.test(value);
  const scheme = SCHEMES.find(({ weigh }) => values.every((value) => isAlike(value) && isValid(value, weigh)));
  if (!scheme || new Set(values).size < MIN_DISTINCT_VALUES) return [];
  const reason = `All values end with a valid check digit (${scheme.name}), so they may be identifiers.`;
  return [{ level: 'undecided', reason }];
}

function isValid(text: string, weigh: (digit: number) => number): boolean {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    sum += (text.length - at) % 2 === 0 ? weigh(digit) : digit;
  }
  return sum % 10 === 0;
}
