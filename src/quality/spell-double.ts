/** Sizes that DuckDB writes with an exponent: below the first, and from the second on. */
const [SMALL, LARGE] = [1e-4, 1e16];

const SPECIAL: Readonly<Record<string, string>> = { NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' };

/** A number in the spelling of DuckDB, `1e-05` for `0.00001`; what is none stays as it is. */
export function spellDouble(text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return SPECIAL[text] ?? text;
  const size = Math.abs(value);
  if (size === 0 || (size >= SMALL && size < LARGE)) return String(value);
  const [digits, exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
