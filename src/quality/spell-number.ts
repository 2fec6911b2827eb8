import type { FieldType } from '../csv/data-schema.js';

/** Sizes that DuckDB writes with an exponent: below the first, and from the second on. */
const [SMALL, LARGE] = [1e-4, 1e16];

const SPECIAL: Readonly<Record<string, string>> = { NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' };

const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;

const SPELLINGS: Partial<Record<FieldType, (text: string) => string>> = {
  Integer: spellDecimal,
  Decimal: spellDecimal,
  Double: spellDouble,
};

/** A number in the spelling that values of the type have as texts: `1.5` for `1.50`. What is none stays as it is. */
export function spellNumber(type: FieldType, text: string): string {
  return SPELLINGS[type]?.(text) ?? text;
}

function spellDecimal(text: string): string {
  const [, sign, whole, fraction] = (/\d/.test(text) && DECIMAL.exec(text)) || [];
  if (whole === undefined) return text;
  const digits = fraction ? `${whole || '0'}.${fraction}` : whole || '0';
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

/** As DuckDB does: `1e-05` for `0.00001`. */
function spellDouble(text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return SPECIAL[text] ?? text;
  const size = Math.abs(value);
  if (size === 0 || (size >= SMALL && size < LARGE)) return String(value);
  const [digits, exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
