/**
 * Format of the files that DuckDB reads. Each line is one row. The origin of the row comes first, and `SEPARATOR`
 * separates the values. An empty field means null. Values are not quoted, so every newline ends a line, and DuckDB can
 * start to read anywhere. An ambiguous value, such as an empty string, is written as `MARK` and its UTF-8 bytes in
 * hexadecimal.
 */
export const SEPARATOR = '\x1f';
export const MARK = '\x01';

export const ORIGIN_COLUMNS = ['batch', 'row', 'receivedAt'] as const;

/** Includes NUL, because DuckDB treats it as a quote if no quote is set. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const AMBIGUOUS = /^$|^\x01|[\0\n\r\x1f]/;

/** Maximum length of a value for which a loop over the characters is faster than the regular expression. */
const SHORT_VALUE_CHARACTERS = 48;
const FIRST_PRINTABLE = 32;

/** Returns whether a staging file must escape the value. */
export function isAmbiguous(value: string): boolean {
  if (value.length === 0 || value.length > SHORT_VALUE_CHARACTERS) return AMBIGUOUS.test(value);
  for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) < FIRST_PRINTABLE) return AMBIGUOUS.test(value);
  return false;
}

export function escapeAmbiguous(value: string): string {
  return MARK + Buffer.from(value).toString('hex');
}
