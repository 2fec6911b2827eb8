import type { TableStructure } from './table-structure.js';

/**
 * Dialect and columns of a CSV file, as stored with the file and returned to clients. Nothing else is needed to read
 * the file. Plain data, so that it can be passed between threads and stored as JSON.
 */
export interface DataSchema {
  readonly dialect: Dialect;
  /** Fields in column order, 1 to 4,096. */
  readonly fields: readonly SchemaField[];
}

export interface Dialect {
  /**
   * Name of the encoding in iconv-lite, in lower case: `utf-8`, `utf-16le`, `windows-1252`. A byte order mark is not
   * part of the text.
   */
  readonly encoding: string;
  /** Probability that the encoding is right, from 0 to 0.9. Only set if the encoding is a guess. */
  readonly encodingConfidence?: number;
  /** Delimiter of the values, one character. */
  readonly delimiter: string;
  /** Quote, one character; null if quotes have no special meaning. */
  readonly quote: string | null;
  /**
   * Character that escapes a quote inside quotes: the quote character (doubling) or a backslash; null if `quote` is
   * null.
   */
  readonly escape: string | null;
  /** Whether blanks after a delimiter are not part of the value. With a space as the delimiter, runs of spaces count once. */
  readonly skipInitialSpace?: true;
  /** Number of lines to skip before the header, or before the data if the file has no header. */
  readonly skipLines: number;
  /** Whether the first record after the skipped lines is the header. */
  readonly header: boolean;
  /** Line where another table starts below this table, from 1. Its records are not rows. Omitted if there is none. */
  readonly nextTableLine?: number;
  /** Prefix of comment lines, which are ignored; null if the file has no comments. */
  readonly comment: string | null;
}

export const FIELD_TYPES = [
  'String',
  'Boolean',
  'Integer',
  'Decimal',
  'Double',
  'Date',
  'DateTime',
  'DateTimeOffset',
  'Time',
  'UUID',
  'JSON',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface SchemaField {
  /**
   * Trimmed, in NFC, 1 to 256 characters, unique in the file. A missing title becomes `column_3`, a second `id` becomes
   * `id_2`.
   */
  readonly name: string;
  /** Original text of the header, if it differs from `name`. */
  readonly title?: string;
  readonly type: FieldType;
  /** Whether values can be null. Before the inference, always false: an empty value is an empty string. */
  readonly nullable: boolean;
  /**
   * Date, DateTime, DateTimeOffset and Time: a pattern of Unicode TR 35, such as `dd.MM.yy` or
   * `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`. A fraction may be shorter or missing. A DateTime without a time is midnight. Names
   * are case-insensitive, and an abbreviated name may end with a point. Two-digit years are 1969 to 2068. `z` is UTC or
   * GMT, `zzz` also an abbreviation with one offset, such as EST.
   */
  readonly format?: string;
  /** Language of the names of months and weekdays in `format` (ISO 639-1): `de`. English if omitted. */
  readonly language?: string;
  /** Decimal: total number of digits, and number of decimal places. */
  readonly precision?: number;
  readonly scale?: number;
  /** Decimal and Double: defaults to `.`. */
  readonly decimalSeparator?: string;
  /** Integer, Decimal and Double: none if omitted. A space matches every kind of space, `'` also matches `’`. */
  readonly groupSeparator?: string;
  /**
   * Decimal: unit before or after every number: `%`, or the sign or ISO 4217 code of a currency. It is not part of the
   * value: `12 %` is 12. With `negativeInParentheses`, `(1.00)` is
   * -1.00.
   */
  readonly unit?: string;
  readonly negativeInParentheses?: true;
  /** Boolean: strings for true and false, in lower case; compared case-insensitively. `true` also accepts 1, `false` 0. */
  readonly booleans?: readonly [yes: string, no: string];
  /**
   * Strings that mean null, in lower case; compared trimmed and case-insensitively. If `nullable`, the empty string is
   * also null.
   */
  readonly nullTokens?: readonly string[];
}

const CONFIDENCES = ['low', 'medium', 'high'] as const;
export type ConfidenceLevel = (typeof CONFIDENCES)[number];

/** Evidence for the type of a column. */
export interface ColumnMetadata {
  /** Name of the field. */
  readonly fieldPath: string;
  readonly confidence: ConfidenceLevel;
  /**
   * Reasons for a confidence below `high`, and other types or formats that fit the values, as sentences. Empty if the
   * confidence is `high`.
   */
  readonly doubts: readonly string[];
  /** Whether the column became a String because values did not fit its proposed type. */
  readonly demoted: boolean;
  /** Number of non-null values in the sample. */
  readonly sampleSeen: number;
  /** Number of non-null values in the sample that did not fit the proposed type. */
  readonly sampleFailures: number;
  /**
   * First value that did not fit, such as `row 17: "31/02/2024" is not a date (dd/MM/yyyy)`. Rows count from 1 after
   * the header; values are cut to 64 characters.
   */
  readonly firstSampleError?: string;
}

/** A row of a preview: values by field name, without a prototype. */
export type SampleRow = Record<string, string | null>;

/** Information from the head of a file. */
export interface CsvHead {
  readonly schema: DataSchema;
  /** The first rows, at most 20. */
  readonly sampleRows: readonly SampleRow[];
}

export interface InferredSchema extends CsvHead {
  readonly columnMetadata: readonly ColumnMetadata[];
  readonly structure: TableStructure;
}

/**
 * Types proposed by the caller, by field name. The values decide whether to accept them. Fields without a proposal are
 * inferred.
 */
export type ProposedTypes = Readonly<Record<string, Partial<SchemaField> & Pick<SchemaField, 'type'>>>;
