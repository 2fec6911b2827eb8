/**
 * The common kinds to which the benchmark maps all type vocabularies. A decimal and a float are both numbers. An amount
 * is a number with a unit, such as `12 %`. Datetimes with and without a time zone are the same kind.
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

/** The detected properties of a file. */
export interface SniffedCsv {
  readonly delimiter: string;
  /** The quote. Empty if quotes have no meaning. */
  readonly quote: string;
  /** Character that escapes a quote. Empty if no character does. */
  readonly escape: string;
  readonly header: boolean;
  /** Number of lines before the header or the data. */
  readonly skipLines: number;
  /** Name of the encoding in iconv-lite, in lower case. */
  readonly encoding: string;
  readonly names: readonly string[];
  /** Kind of each column. */
  readonly kinds: readonly ValueKind[];
}

/**
 * A value after the conversion by the system. `text` is the canonical form of a number, date (ISO 8601) or boolean.
 * Null for a missing value.
 */
export type TypedValue = { readonly kind: ValueKind; readonly text: string } | null;

/** A system that reads CSV files from disk. Every method throws if the system cannot read the file. */
export interface CsvSystem {
  readonly name: string;
  /** Fields that the system never detects. Their values have no meaning, and the benchmark does not score them. */
  readonly ignores: ReadonlySet<keyof SniffedCsv>;
  sniff(path: string): Promise<SniffedCsv>;
  /** Returns all records after the preamble, including the header, as strings. A missing value is empty. */
  readTexts(path: string): Promise<readonly (readonly string[])[]>;
  /** Returns the rows after the header, converted to the detected types. */
  readTyped(path: string): Promise<readonly (readonly TypedValue[])[]>;
}
