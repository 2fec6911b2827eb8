import type { ValueKind } from './csv-system.js';

export type Vocabulary = Readonly<Record<string, ValueKind>>;

/** DuckDB has more types, but its sniffer never detects them. */
export const DUCKDB_KINDS: Vocabulary = {
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
  BIGINT: 'integer',
  HUGEINT: 'integer',
  DOUBLE: 'number',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'datetime',
  'TIMESTAMP WITH TIME ZONE': 'datetime',
};

const PTYPE_KINDS: Vocabulary = {
  string: 'text',
  boolean: 'boolean',
  integer: 'integer',
  float: 'number',
};

const QSV_KINDS: Vocabulary = {
  Text: 'text',
  Boolean: 'boolean',
  Unsigned: 'integer',
  Signed: 'integer',
  Float: 'number',
  Date: 'date',
  DateTime: 'datetime',
};

const PYTHON_KINDS: Vocabulary = {
  string: 'text',
  bool: 'boolean',
  int: 'integer',
  float: 'number',
  date: 'date',
  datetime: 'datetime',
  json: 'json',
};

const TABLE_SCHEMA_KINDS: Vocabulary = {
  string: 'text',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  decimal: 'number',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
};

/**
 * The XML Schema datatypes of the W3C standard CSV on the Web (CSVW). A duration counts as text, because no kind
 * represents it.
 */
const CSVW_KINDS: Vocabulary = {
  string: 'text',
  boolean: 'boolean',
  integer: 'integer',
  long: 'integer',
  int: 'integer',
  short: 'integer',
  byte: 'integer',
  nonNegativeInteger: 'integer',
  positiveInteger: 'integer',
  unsignedLong: 'integer',
  unsignedInt: 'integer',
  unsignedShort: 'integer',
  unsignedByte: 'integer',
  nonPositiveInteger: 'integer',
  negativeInteger: 'integer',
  decimal: 'number',
  double: 'number',
  float: 'number',
  number: 'number',
  date: 'date',
  time: 'time',
  dateTime: 'datetime',
  datetime: 'datetime',
  dateTimeStamp: 'datetime',
  duration: 'text',
  dayTimeDuration: 'text',
  yearMonthDuration: 'text',
};

/** By the key under which the manifest lists type names. */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  duckdbTypes: DUCKDB_KINDS,
  ptypeTypes: PTYPE_KINDS,
  qsvTypes: QSV_KINDS,
  pythonTypes: PYTHON_KINDS,
  types: TABLE_SCHEMA_KINDS,
  typesFromFirst4Rows: TABLE_SCHEMA_KINDS,
  csvwDatatypes: CSVW_KINDS,
};

/**
 * Type names that the benchmark cannot score, and the reason. Any other unknown type name is an error in the manifest.
 */
const UNSCORED_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ptypeTypes: {
    'date-iso-8601': 'includes years alone and times of four digits',
    'date-eu': 'includes years alone',
    'date-non-std': 'includes time spans and incomplete dates',
    'date-non-std-subtype': 'includes time spans such as 2013-2014',
    'all-identical': 'states no type, only that all values are equal',
    gender: 'the authors of the manifest do not score it',
    unknown: 'no information',
  },
  qsvTypes: { NULL: 'no value in the column' },
  csvwDatatypes: {
    gDay: 'no kind represents a day without a month',
    gMonth: 'no kind represents a month without a year',
    gMonthDay: 'no kind represents a day without a year',
    gYear: 'cannot be distinguished from an integer',
    gYearMonth: 'no kind represents a month of a year',
  },
};

const UNSCORED_FORMATS: readonly { readonly base: RegExp; readonly format: RegExp; readonly reason: string }[] = [
  { base: /^(date|time)$/, format: /^[A-Za-z]+$/, reason: 'digits alone cannot be distinguished from an integer' },
  { base: /^(date|time)$/, format: /X$/, reason: 'no kind represents a date with a zone, or a time with a zone' },
];

export function kindsMatch(stated: ValueKind, found: ValueKind): boolean {
  return stated === found || (stated === 'number' && found === 'amount');
}

/**
 * If the vocabulary of a manifest lacks a kind, the manifest states `text`. The detected kind may then be correct.
 */
export function exceedsVocabulary(vocabulary: string, stated: ValueKind, found: ValueKind): boolean {
  return stated === 'text' && !Object.values(VOCABULARIES[vocabulary] ?? {}).includes(found);
}

export function listUnscoredTypes(): string[] {
  const words = Object.entries(UNSCORED_TYPES).flatMap(([vocabulary, reasons]) =>
    Object.entries(reasons).map(([word, reason]) => `${vocabulary}: ${word}: ${reason}`),
  );
  const formats = UNSCORED_FORMATS.map(({ base, format, reason }) => `csvwDatatypes: ${base} by ${format}: ${reason}`);
  return [...words, ...formats, 'text, if a system detects a kind that the source cannot express'];
}

export type StatedType = string | { readonly base: string; readonly format?: string };

/** Returns undefined if the benchmark does not score the type. Throws an error for an unknown type name. */
export function statedKindOf(vocabulary: string, stated: StatedType): ValueKind | undefined {
  const { base, format } = typeof stated === 'string' ? { base: stated, format: undefined } : stated;
  const word = base.replace(/\(.*\)$/, ''); // A type name can contain a format, such as `date(%Y-%m-%d)`.
  if (UNSCORED_TYPES[vocabulary]?.[word]) return undefined;
  if (UNSCORED_FORMATS.some((one) => one.base.test(word) && one.format.test(format ?? ''))) return undefined;
  const kind = VOCABULARIES[vocabulary]?.[word];
  if (!kind) throw new Error(`${vocabulary} has no type ${JSON.stringify(stated)}`);
  return kind;
}
