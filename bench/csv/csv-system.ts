/**
 * The benchmark maps the type names of all systems to these kinds. Decimals and floats are a `number`. An `amount` has
 * a unit, such as `12 %`. A `datetime` may lack a time zone.
 */
export type ValueKind =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'amount'
  | 'date'
  | 'datetime'
  | 'time'
  | 'uuid'
  | 'json';

export interface SniffedCsv {
  readonly delimiter: string;
  /** Quote character, or an empty string. */
  readonly quote: string;
  /** Character that escapes a quote, or an empty string. */
  readonly escape: string;
  readonly header: boolean;
  /** Number of lines above the header, or above the first row if the file has no header. */
  readonly skipLines: number;
  /** Name of the encoding in iconv-lite, in lower case. */
  readonly encoding: string;
  readonly names: readonly string[];
  readonly kinds: readonly ValueKind[];
}

/** `text` is the canonical form, such as ISO 8601 for a date. Null for a missing value. */
export type TypedValue = { readonly kind: ValueKind; readonly text: string } | null;

/** Each method throws an error if the system cannot read the file. */
export interface CsvSystem {
  readonly name: string;
  /** Fields that the system never detects. The benchmark does not score them. */
  readonly ignores: ReadonlySet<keyof SniffedCsv>;
  sniff(path: string): Promise<SniffedCsv>;
  /** Returns all records after the preamble, including the header. A missing value is an empty string. */
  readTexts(path: string): Promise<readonly (readonly string[])[]>;
  readTyped(path: string): Promise<readonly (readonly TypedValue[])[]>;
}
