/**
 * What a CSV file is made of, as it is kept with the file and shown to clients: how its text is cut into records, and what its columns hold. With it
 * and nothing else the whole file can be read. Free of classes, so that it crosses threads and is stored as it is.
 */
export interface DataSchema {
  readonly dialect: Dialect;
  /** In the order of the columns, 1 to 4,096. */
  readonly fields: readonly SchemaField[];
}

export interface Dialect {
  /** A name that iconv-lite knows, in lower case: `utf-8`, `utf-16le`, `windows-1252`. A byte order mark is no part of the text. */
  readonly encoding: string;
  /** One character. */
  readonly delimiter: string;
  /** One character, or null where quotes mean nothing. */
  readonly quote: string | null;
  /** What makes a quote within quotes mean itself: the quote once more, or a backslash; null without quotes. */
  readonly escape: string | null;
  /** Records before the header, or before the data where there is none, that belong to neither. Counted as lines of the file. */
  readonly skipLines: number;
  /** Whether the first record after those names the columns. */
  readonly header: boolean;
  /** What lines begin with that are left out; null where there are none. */
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
  /** Trimmed, NFC, 1 to 256 characters, unique in the file: `column_3` for one without a title, `id_2` for a second `id`. */
  readonly name: string;
  /** As it stands in the header, where that differs. */
  readonly title?: string;
  readonly type: FieldType;
  /** Whether a value may be missing. Before inference no value is: an empty one is an empty text. */
  readonly nullable: boolean;
  /**
   * Date, DateTime, DateTimeOffset and Time: in the letters of Unicode TR 35, such as `dd.MM.yy` or `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`. A
   * fraction may have fewer digits or lack; of a DateTime the time may lack, which is midnight; names are English and case does not matter. Years
   * of two digits are 1969 to 2068.
   */
  readonly format?: string;
  /** Decimal: digits in all, and behind the point. */
  readonly precision?: number;
  readonly scale?: number;
  /** Decimal and Double: what stands for the point, `.` where left out. */
  readonly decimalSeparator?: string;
  /** Integer, Decimal and Double: what stands between thousands; none where left out. A space is any kind of space, `'` also `’`. */
  readonly groupSeparator?: string;
  /** Decimal: what stands around each number and is no part of it. `(1.00)` means -1.00. */
  readonly unit?: '%' | '$' | '€' | '£' | '¥';
  readonly negativeInParentheses?: true;
  /** Boolean: the texts for true and false, in lower case; case does not matter. */
  readonly booleans?: readonly [yes: string, no: string];
  /** Texts that mean that there is no value, in lower case; trimmed and without regard to case. The empty text always does where `nullable`. */
  readonly nullTokens?: readonly string[];
}

const CONFIDENCES = ['low', 'medium', 'high'] as const;
export type ConfidenceLevel = (typeof CONFIDENCES)[number];

/** What speaks for the type of a column. */
export interface ColumnMetadata {
  /** Name of the field. */
  readonly fieldPath: string;
  readonly confidence: ConfidenceLevel;
  /** Whether it ended as String because of values that its proposed type refuses. */
  readonly demoted: boolean;
  /** Values that the proposed type was tried on: those that are not null. */
  readonly sampleSeen: number;
  /** Those of them that it refused. */
  readonly sampleFailures: number;
  /** Such as `row 17: "31/02/2024" is not a date (dd/MM/yyyy)`; rows count from 1 behind the header, values are cut to 64 characters. */
  readonly firstSampleError?: string;
}

/** A row as a preview shows it: texts by name of the field, without a prototype. */
export type SampleRow = Record<string, string | null>;

/** What is known of a file from its head alone. */
export interface CsvHead {
  readonly schema: DataSchema;
  /** The first 20 rows at the most. */
  readonly sampleRows: readonly SampleRow[];
}

export interface InferredSchema extends CsvHead {
  readonly columnMetadata: readonly ColumnMetadata[];
}

/** A type that somebody proposes for a column; the verifier decides. Left out: the rules propose. */
export type ProposedTypes = Readonly<Record<string, Partial<SchemaField> & Pick<SchemaField, 'type'>>>;
