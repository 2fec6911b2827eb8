import { significantDigitsOf } from '../../kernel/formats/significant-digits.js';

const WHOLE = /^-?\d+$/;

/**
 * Parses JSON without loss of digits. Integers beyond ±(2^53 - 1), and numbers that a double cannot represent exactly,
 * become strings.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? exactNumber(value, context.source) : value,
  );
}

function exactNumber(value: number, source: string): number | string {
  const isExact = WHOLE.test(source)
    ? Number.isSafeInteger(value)
    : significantDigitsOf(source) === significantDigitsOf(String(value));
  return isExact ? value : source;
}
