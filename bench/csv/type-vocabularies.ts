import type { ValueKind } from './csv-system.js';

/** The words for types of one source. */
export type Vocabulary = Readonly<Record<string, ValueKind>>;

/** What its sniffer says: it has more types, which it never finds by itself. */
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

/** Of Table Schema and libraries near to it. */
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

/** XML Schema's datatypes, as CSV on the Web names them. No kind holds a duration but text. */
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

/** By the key of the manifest that holds a list of types in the vocabulary. */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  duckdbTypes: DUCKDB_KINDS,
  ptypeTypes: PTYPE_KINDS,
  qsvTypes: QSV_KINDS,
  pythonTypes: PYTHON_KINDS,
  types: TABLE_SCHEMA_KINDS,
  typesFromFirst4Rows: TABLE_SCHEMA_KINDS,
  csvwDatatypes: CSVW_KINDS,
};

/** Words that no system can be scored by, with the reason. Any other word that a vocabulary lacks is a fault of the manifest. */
const UNSCORED_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ptypeTypes: {
    'date-iso-8601': 'bare years and times of four digits are among them',
    'date-eu': 'bare years are among them',
    'date-non-std': 'periods and parts of dates are among them',
    'date-non-std-subtype': 'periods such as 2013-2014 are among them',
    'all-identical': 'says that there is one value, not which type it has',
    gender: 'its source leaves it out too',
    unknown: 'nothing is known',
  },
  qsvTypes: { NULL: 'no value in the column' },
  csvwDatatypes: {
    gDay: 'no kind holds a day without a month',
    gMonth: 'no kind holds a month without a year',
    gMonthDay: 'no kind holds a day without a year',
    gYear: 'cannot be told from an integer',
    gYearMonth: 'no kind holds a month',
  },
};

/** Formats of dates and times of CSV on the Web that nobody can find in a file without being told. */
const UNSCORED_FORMATS: readonly { readonly base: RegExp; readonly format: RegExp; readonly reason: string }[] = [
  { base: /^(date|time)$/, format: /^[A-Za-z]+$/, reason: 'digits alone cannot be told from an integer' },
  { base: /^(date|time)$/, format: /X$/, reason: 'no kind holds a date or a time with a zone' },
];

/** Whether a found kind is what a stated one means. */
export function kindsMatch(stated: ValueKind, found: ValueKind): boolean {
  return stated === found || (stated === 'number' && found === 'amount');
}

/** A source that has no word for a kind says text instead, and it cannot be told whether it would have seen more: this is counted apart as well. */
export function exceedsVocabulary(vocabulary: string, stated: ValueKind, found: ValueKind): boolean {
  return stated === 'text' && !Object.values(VOCABULARIES[vocabulary] ?? {}).includes(found);
}

/** One line for each word that is not scored, and why. */
export function listUnscoredTypes(): string[] {
  const words = Object.entries(UNSCORED_TYPES).flatMap(([vocabulary, reasons]) =>
    Object.entries(reasons).map(([word, reason]) => `${vocabulary}: ${word}: ${reason}`),
  );
  const formats = UNSCORED_FORMATS.map(({ base, format, reason }) => `csvwDatatypes: ${base} by ${format}: ${reason}`);
  return [...words, ...formats, 'text, for a system that finds a kind there which the source has no word for'];
}

/** A type of the manifest: a word, or a word with a format. */
export type StatedType = string | { readonly base: string; readonly format?: string };

/** The kind that a stated type means; undefined where it is not scored. Throws where nobody knows the word. */
export function statedKindOf(vocabulary: string, stated: StatedType): ValueKind | undefined {
  const { base, format } = typeof stated === 'string' ? { base: stated, format: undefined } : stated;
  const word = base.replace(/\(.*\)$/, ''); // date(%Y-%m-%d)
  if (UNSCORED_TYPES[vocabulary]?.[word]) return undefined;
  if (UNSCORED_FORMATS.some((one) => one.base.test(word) && one.format.test(format ?? ''))) return undefined;
  const kind = VOCABULARIES[vocabulary]?.[word];
  if (!kind) throw new Error(`${vocabulary} knows no type ${JSON.stringify(stated)}`);
  return kind;
}
