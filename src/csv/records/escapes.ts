const BACKSLASH = 92;

/** Returns whether an odd number of backslashes precedes the quote at `quoteAt`. The value starts after `open`. */
export function isBackslashed(text: string, open: number, quoteAt: number): boolean {
  let first = quoteAt;
  while (first - 1 > open && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quoteAt - first) % 2 === 1;
}

/**
 * Replaces each doubled quote with one quote. With `isBackslash`, also removes each backslash that escapes a quote or
 * another backslash.
 */
export function unescapeValue(value: string, quote: string, isBackslash: boolean): string {
  if (!isBackslash) return value.replaceAll(quote + quote, quote);
  return value.replace(/\\\\|\\"|\\'|""|''/g, (pair) => {
    const escaped = pair.charAt(1);
    return escaped === quote || (escaped === '\\' && pair.charAt(0) === '\\') ? escaped : pair;
  });
}
