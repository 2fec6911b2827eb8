import { AppError } from '../kernel/errors.js';

/** A language tag (BCP 47) in its canonical spelling: `en-gb` is `en-GB`. Throws BAD_REQUEST for any other text. */
export function readLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] as string;
  } catch {
    throw new AppError('BAD_REQUEST', 'locale must be a language tag (BCP 47), such as en-GB.');
  }
}

/**
 * A name of the IANA time zone database, which may be an older one of a zone that has another now. Throws BAD_REQUEST for any other text, also
 * for a mere offset, which knows no summer.
 */
export function readTimeZone(text: string): string {
  const known = /^[A-Za-z]/.test(text) ? canonicalZone(text) : undefined;
  if (known === undefined)
    throw new AppError('BAD_REQUEST', 'timezone must be a name of the IANA time zone database, such as Europe/Berlin.');
  return known.toLowerCase() === text.toLowerCase() ? known : text;
}

function canonicalZone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
