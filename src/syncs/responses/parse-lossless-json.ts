import { significantDigitsOf } from '../../kernel/formats/significant-digits.js';

/** Maximum nesting, as for pushed records. Deeper documents could overflow the stack. */
export const MAX_DEPTH = 64;

/** A double preserves all digits of a number with fewer than 16 digits and without a large exponent. */
const LONG_DIGITS = 16;
const LARGE_EXPONENT = /\d[eE][+-]?\d{3}/;

/**
 * Matches numbers that a double might not represent exactly. Ignores digits after a quote, because they belong to a
 * string.
 */
const LONG_NUMBERS = /(?<![^\s:,[-])(?:\d[\d.]{15,}(?:[eE][+-]?\d+)?|\d[\d.]*[eE][+-]?\d{3,})/g;

const [ZERO, NINE, POINT] = [0x30, 0x39, 0x2e];
const [QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

/** TypeScript's library does not declare `JSON.rawJSON` and `JSON.isRawJSON`. */
const rawJson = (JSON as unknown as { rawJSON(text: string): object }).rawJSON;
const isRawJson = (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON;

/** The message contains no part of the text. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/** A number that a double cannot represent becomes a `JSON.rawJSON` object. Throws `JsonTextError`. */
export function parseLosslessJson(text: string): unknown {
  // RFC 8259, section 8.1, allows parsers to ignore a byte order mark.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (isTooDeep(json)) throw new JsonTextError(`is nested more than ${MAX_DEPTH} levels deep`);
  return parseShallowJson(json);
}

/** For a text without a byte order mark. The caller must check the nesting. */
export function parseShallowJson(json: string): unknown {
  try {
    // A reviver makes parsing several times slower.
    return isExact(json) ? JSON.parse(json) : JSON.parse(json, keepDigits);
  } catch {
    // The error of `JSON.parse` quotes the text, so it must not become the cause.
    throw new JsonTextError('is not valid JSON');
  }
}

/** Returns false if a number may require `JSON.rawJSON`. */
function isExact(json: string): boolean {
  if (!hasLongDigits(json) && !LARGE_EXPONENT.test(json)) return true;
  for (const [number] of json.matchAll(LONG_NUMBERS)) if (!isDouble(number)) return false;
  return true;
}

/** Checks every 16th character, because each sequence of 16 digits and points contains such a character. */
function hasLongDigits(json: string): boolean {
  for (let at = LONG_DIGITS - 1; at < json.length; at += LONG_DIGITS) {
    if (!isDigitOrPoint(json.charCodeAt(at))) continue;
    let start = at;
    while (isDigitOrPoint(json.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (isDigitOrPoint(json.charCodeAt(end))) end += 1;
    if (end - start >= LONG_DIGITS) return true;
  }
  return false;
}

function isDigitOrPoint(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === POINT;
}

function isDouble(number: string): boolean {
  return significantDigitsOf(number) === significantDigitsOf(String(Number(number)));
}

/** Returns the digits of a number that a double cannot represent. Returns undefined for other values. */
export function rawNumberOf(value: unknown): string | undefined {
  return isRawJson(value) ? JSON.stringify(value) : undefined;
}

function keepDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isDouble(context.source) ? value : rawJson(context.source);
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/** Returns the end of the text if the closing quote is missing. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
