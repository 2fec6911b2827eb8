/** A language tag (BCP 47) in its canonical spelling: `en-gb` is `en-GB`. Undefined for any other text. */
export function parseLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/**
 * A name of the IANA time zone database, which may be an older one of a zone that has another now. Undefined for any other text, also
 * for a mere offset, which knows no summer.
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
