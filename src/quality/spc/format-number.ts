/** Numbers from here on, and their inverse, are shown with an exponent. */
const EXPONENT_FROM = 1e15;
const EXPONENT_BELOW = 1e-6;

/** A number for people: whole ones in full, others with two decimals from a thousand on, else with 5 digits. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= EXPONENT_FROM || (size > 0 && size < EXPONENT_BELOW))
    return value.toExponential(4).replace(/\.?0+e/, 'e');
  // A zero with a sign is none to people.
  if (Number.isInteger(value)) return (value + 0).toLocaleString('en');
  return value.toLocaleString('en', size >= 1000 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 5 });
}
