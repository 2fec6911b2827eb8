const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;
const ZERO = 48;

/**
 * Parses JSON. Numbers that a double cannot represent exactly, and integers beyond ±2^53, become strings of their
 * digits.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? exactNumber(value, context.source) : value,
  );
}

function exactNumber(value: number, source: string): number | string {
  const [, , fraction, exponent] = NUMBER.exec(source) ?? [];
  const isWhole = fraction === undefined && exponent === undefined;
  const isExact = isWhole ? Number.isSafeInteger(value) : digitsOf(source) === digitsOf(String(value));
  return isExact ? value : source;
}

/**
 * Significant digits and exponent without the sign, the same for all notations of a number: `1.50` and `15e-1`.
 * Undefined if the text is not a number.
 */
function digitsOf(number: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (start < end && digits.charCodeAt(start) === ZERO) start++;
  while (end > start && digits.charCodeAt(end - 1) === ZERO) end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return start === end ? '0' : `${digits.slice(start, end)}e${power}`;
}
