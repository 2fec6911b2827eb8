const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;
const ZERO = 48;

/**
 * Returns the significant digits and the exponent of a number without its sign. The result is the same for all
 * notations, such as `1.50` and `15e-1`. Returns undefined if the text is not a number.
 */
export function significantDigitsOf(number: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (start < end && digits.charCodeAt(start) === ZERO) start++;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return start === end ? '0' : `${digits.slice(start, end)}e${power}`;
}
