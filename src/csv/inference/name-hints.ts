/** Words of names of columns whose digits count nothing: they are texts that happen to look like numbers or dates. */
const IDENTIFYING: ReadonlySet<string> = new Set(
  (
    'account card code ean fax gtin iban imei ip isbn issn mobile phone plz postal postcode serial sku ssn tel ' +
    'telephone upc version zip zipcode'
  ).split(' '),
);

/** Words of names of columns whose whole numbers may be times: seconds since 1970, or `20240131`. */
const TEMPORAL: ReadonlySet<string> = new Set('at date datetime epoch timestamp ts'.split(' '));

/** A version 1.10 comes after 1.9: as a number it would be the first one again. */
const VERSION = 'version';

export interface NameHints {
  readonly isIdentifying: boolean;
  readonly isTemporal: boolean;
  readonly isVersion: boolean;
}

/** What the name of a column says of its values. It only ever takes confidence away: names promise much. */
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
