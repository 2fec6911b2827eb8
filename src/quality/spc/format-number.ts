const EXPONENT_FROM = 1e15;
const EXPONENT_BELOW = 1e-6;

/**
 * A number has an exponent if its absolute value is at least 10^15, or is below 10^-6 and not 0. Other integers have
 * all digits. Fractions have up to 2 decimal places from 1,000 upwards, and up to 5 significant digits below 1,000.
 */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= EXPONENT_FROM || (size > 0 && size < EXPONENT_BELOW))
    return value.toExponential(4).replace(/\.?0+e/, 'e');
  // The addition changes -0 to 0.
  if (Number.isInteger(value)) return (value + 0).toLocaleString('en');
  return value.toLocaleString('en', size >= 1000 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 5 });
}
