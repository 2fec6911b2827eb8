/** Words in names of columns whose values are identifiers, even if they look like numbers or dates. */
const IDENTIFYING: ReadonlySet<string> = new Set(
  (
    'account card code ean fax gtin iban imei ip isbn issn mobile phone plz postal postcode serial sku ssn tel ' +
    'telephone upc version zip zipcode'
  ).split(' '),
);

/** Words in names of columns whose integers may be times: Unix timestamps, or dates such as `20240131`. */
const TEMPORAL: ReadonlySet<string> = new Set('at date datetime epoch timestamp ts'.split(' '));

/** As numbers, the versions 1.10 and 1.1 would be equal. */
const VERSION = 'version';

export interface NameHints {
  readonly isIdentifying: boolean;
  readonly isTemporal: boolean;
  readonly isVersion: boolean;
}

/** Hints from the name of a column. They only reduce confidence. */
export function hintsOf(name: string): NameHints {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return {
    isIdentifying: words.some((word) => IDENTIFYING.has(word)),
    isTemporal: words.some((word) => TEMPORAL.has(word)),
    isVersion: words.includes(VERSION),
  };
}
