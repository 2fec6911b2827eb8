const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;
const ZERO = 48;

/** The value of a JSON text. A number that a double does not hold to the last digit, and a whole one beyond 2^53, is a text with its digits. */
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

/** The same for all spellings of a number, without its sign; undefined for what is none. */
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
