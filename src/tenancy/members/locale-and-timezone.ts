/**
 * Returns the canonical form of a language tag (BCP 47), such as `en-GB` for `en-gb`. Returns undefined for any other
 * text.
 */
export function parseLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/**
 * Accepts the names of the IANA time zone database, including former names of renamed zones. Returns undefined for any
 * other string, such as a UTC offset, which has no daylight saving time.
 */
export function parseTimezone(text: string): string | undefined {
  const known = /^[A-Za-z]/.test(text) ? canonicalTimezone(text) : undefined;
  return known?.toLowerCase() === text.toLowerCase() ? known : known && text;
}

function canonicalTimezone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
