import type { FieldType } from '../../csv/model/data-schema.js';

/**
 * DuckDB writes numbers with an exponent if their absolute value is below 0.0001, or is 1e16 or more.
 */
const [EXPONENT_BELOW, EXPONENT_FROM] = [1e-4, 1e16];

const NON_FINITE: Readonly<Record<string, string>> = { NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' };

const DECIMAL_PATTERN = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;

const CANONICALIZERS: Partial<Record<FieldType, (text: string) => string>> = {
  Integer: canonicalizeDecimal,
  Decimal: canonicalizeDecimal,
  Double: canonicalizeDouble,
};

/** Formats a number in the same way as `columnTextSql`, for example `1.50` as `1.5`. */
export function canonicalizeNumber(type: FieldType, text: string): string {
  return CANONICALIZERS[type]?.(text) ?? text;
}

function canonicalizeDecimal(text: string): string {
  const [, sign, whole, fraction] = (/\d/.test(text) && DECIMAL_PATTERN.exec(text)) || [];
  if (whole === undefined) return text;
  const digits = fraction ? `${whole || '0'}.${fraction}` : whole || '0';
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

function canonicalizeDouble(text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return NON_FINITE[text] ?? text;
  const size = Math.abs(value);
  if (size === 0 || (size >= EXPONENT_BELOW && size < EXPONENT_FROM)) return String(value);
  const [digits, exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
