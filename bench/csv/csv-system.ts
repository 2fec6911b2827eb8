/**
 * What every vocabulary of types is brought down to. A decimal and a float are numbers both; an amount is a number that stands beside a unit, such as
 * `12 %`; a zone makes no other kind of datetime.
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

/** What a system makes of a file. */
export interface SniffedCsv {
  readonly delimiter: string;
  /** Empty where quotes mean nothing. */
  readonly quote: string;
  /** Empty where nothing escapes a quote. */
  readonly escape: string;
  readonly header: boolean;
  /** Lines before the header, or before the data. */
  readonly skipLines: number;
  /** A name that iconv-lite knows, in lower case. */
  readonly encoding: string;
  readonly names: readonly string[];
  /** One for each column. */
  readonly kinds: readonly ValueKind[];
}

/** A value as its system converts it: `text` is the plain form of number, date (ISO 8601) or truth. Null where it is taken for none. */
export type TypedValue = { readonly kind: ValueKind; readonly text: string } | null;

/** Something that looks at CSV files as they lie on the disk. Every method throws where the system gives up. */
export interface CsvSystem {
  readonly name: string;
  /** What it never finds out, and is not scored for: the fields of its answers mean nothing. */
  readonly ignores: ReadonlySet<keyof SniffedCsv>;
  sniff(path: string): Promise<SniffedCsv>;
  /** All records behind the preamble, the header among them, as texts; a missing value is an empty one. */
  readTexts(path: string): Promise<readonly (readonly string[])[]>;
  /** The rows behind the header, converted to the types that the system has found. */
  readTyped(path: string): Promise<readonly (readonly TypedValue[])[]>;
}
