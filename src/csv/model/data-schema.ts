import type { TableStructure } from './table-structure.js';

/**
 * Dialect and columns of a CSV file. They are sufficient to read the file. The service stores them with the file and
 * returns them to clients. The object is plain data, so that threads can exchange it, and the database can store it as
 * JSON.
 */
export interface DataSchema {
  readonly dialect: Dialect;
  /** In column order. A schema has 1 to 4,096 fields. */
  readonly fields: readonly SchemaField[];
}

export interface Dialect {
  /**
   * Name of the encoding in iconv-lite, in lower case: `utf-8`, `utf-16le`, `windows-1252`. A byte order mark is not
   * part of the text.
   */
  readonly encoding: string;
  /** Probability that the encoding is right. Set only below 0.9, because the encoding is then a guess. */
  readonly encodingConfidence?: number;
  /** One character. */
  readonly delimiter: string;
  /** One character. Null if quotes have no special meaning. */
  readonly quote: string | null;
  /**
   * Character that escapes a quote inside quotes: the quote itself (doubling) or a backslash. Null if `quote` is null.
   */
  readonly escape: string | null;
  /**
   * Whether readers ignore blanks after a delimiter. If the delimiter is a space, several spaces count as
   * one delimiter.
   */
  readonly skipInitialSpace?: true;
  /** Number of lines above the header, or above the first row if the file has no header. */
  readonly skipLines: number;
  /** Whether the first record after the skipped lines is the header. */
  readonly header: boolean;
  /**
   * Number of the line at which another table starts below this table. The first line of the file has the number 1. The
   * records of the other table do not count as rows. Omitted if the file contains no other table.
   */
  readonly nextTableLine?: number;
  /** Prefix of comment lines, which readers ignore. Null if the file has no comments. */
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
   * Trimmed name in NFC, with 1 to 256 characters, unique in the file. For example, a missing title becomes `column_3`,
   * and a second `id` becomes `id_2`.
   */
  readonly name: string;
  /** Original text of the header, if it differs from `name`. */
  readonly title?: string;
  readonly type: FieldType;
  /** Always false before the inference, because an empty value is then an empty string. */
  readonly nullable: boolean;
  /**
   * Pattern of Unicode TR 35 for Date, DateTime, DateTimeOffset and Time, such as `dd.MM.yy` or
   * `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`. A value may have a shorter fraction than the pattern, or none. A DateTime without a
   * time is midnight. Names of months and weekdays are case-insensitive. An abbreviated name may end with a point.
   * Two-digit years are 1969 to 2068. `z` accepts UTC and GMT. `zzz` also accepts abbreviations with a single offset,
   * such as EST.
   */
  readonly format?: string;
  /** Language of the names of months and weekdays in `format` (ISO 639-1), such as `de`. Defaults to English. */
  readonly language?: string;
  /** Only for Decimal: total number of digits (`precision`), and number of decimal places (`scale`). */
  readonly precision?: number;
  readonly scale?: number;
  /** Only for Decimal and Double. Defaults to `,` if `groupSeparator` is `.`, and otherwise to `.`. */
  readonly decimalSeparator?: string;
  /**
   * Only for Integer, Decimal and Double. Defaults to no separator. A space also matches no-break, figure and thin
   * spaces, and `'` also matches `’`.
   */
  readonly groupSeparator?: string;
  /**
   * Only for Decimal: `%`, or the sign or ISO 4217 code of a currency, before or after every number. The unit is not
   * part of the value: `12 %` is 12. With `negativeInParentheses`, `(1.00)` is -1.00.
   */
  readonly unit?: string;
  readonly negativeInParentheses?: true;
  /**
   * Only for Boolean: strings for true and false, in lower case. Values match regardless of case. The pair with `true`
   * also accepts 1 for true and 0 for false.
   */
  readonly booleans?: readonly [yes: string, no: string];
  /**
   * Strings that mean null, in lower case. Comparison ignores case and surrounding blanks. If `nullable`, the empty
   * string is also null.
   */
  readonly nullTokens?: readonly string[];
}

const CONFIDENCES = ['low', 'medium', 'high'] as const;
export type ConfidenceLevel = (typeof CONFIDENCES)[number];

export interface ColumnMetadata {
  /** Name of the field. */
  readonly fieldPath: string;
  readonly confidence: ConfidenceLevel;
  /**
   * Reasons for a confidence below `high`, and other types or formats that fit the values, as sentences. Empty if the
   * confidence is `high`.
   */
  readonly doubts: readonly string[];
  /** Whether the column became a String because some values did not fit the type of most values. */
  readonly demoted: boolean;
  /** Number of non-null values in the sample. */
  readonly sampleSeen: number;
  /** Number of non-null values in the sample that did not fit the type of most values. 0 unless `demoted` is true. */
  readonly sampleFailures: number;
  /**
   * First value that did not fit, such as `row 17: "31/02/2024" is not a date (dd/MM/yyyy)`. Row numbers start at 1
   * after the header. The text contains at most 64 characters of the value.
   */
  readonly firstSampleError?: string;
}

/** A row of a preview: values by field name. The object has no prototype. */
export type SampleRow = Record<string, string | null>;

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
 * Proposed types by field name. The service accepts a proposal only if the proposal fits the values. The service infers
 * all other types.
 */
export type ProposedTypes = Readonly<Record<string, Partial<SchemaField> & Pick<SchemaField, 'type'>>>;
