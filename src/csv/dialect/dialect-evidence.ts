import { cellTypeOf } from '../header/cell-type.js';
import { scanRecords } from '../header/locate-table.js';
import { RecordScanner } from '../records/record-scanner.js';
import type { DialectScore } from './score-dialect.js';
import { isSingleValue } from './single-value.js';

const MAX_INSPECTED_RECORDS = 100;
const MAX_INSPECTED_LINES = 20;
const MAX_LINE_CHARACTERS = 400;

/**
 * A rare delimiter requires `MIN_RARE_RECORDS` records. The share `MIN_RARE_SHARE` of the records must have the same
 * number of values. If there are at least as many quoted values as records, `MIN_QUOTED_RECORDS` records of any width
 * are sufficient.
 */
const MIN_RARE_RECORDS = 4;
const MIN_QUOTED_RECORDS = 3;
const MIN_RARE_SHARE = 0.85;

/**
 * Minimum records and columns of a space-delimited table in which at most half of the columns contain numbers or times.
 */
const MIN_EVEN_RECORDS = 10;
const MIN_EVEN_WIDTH = 3;

const MAJORITY_SHARE = 0.8;

/**
 * Minimum share of records that the delimiter splits. Only titles and remarks around a table may remain unsplit, and
 * they are few.
 */
const MIN_SPLIT_SHARE = 0.7;

const PUNCTUATION = /[,;] /g;
const PUNCTUATION_MARK = /^[^\p{L}\p{N}\s]$/u;
const MIN_PUNCTUATION_SHARE = 0.9;

/** Returns whether a rare delimiter, such as a space or colon, separates columns. */
export function isEvidentTable(text: string, candidate: DialectScore, isWhole: boolean): boolean {
  const { records, share, quoted, syntax } = candidate;
  const isQuoted = quoted >= records;
  if (records < (isQuoted ? MIN_QUOTED_RECORDS : MIN_RARE_RECORDS) || (share < MIN_RARE_SHARE && !isQuoted))
    return false;
  if (splitsSingleValues(text, syntax.delimiter)) return false;
  const table = inspectTable(text, candidate, isWhole);
  if (table.filledColumns < 2) return false;
  return syntax.delimiter === ' ' ? isAligned(candidate, table) : table.isAtStart;
}

/**
 * Returns whether the spaces are column delimiters, instead of blanks between words. `isAtStart` must be true, unless
 * several spaces separate the values.
 */
function isAligned({ syntax, quoted, records, share, width }: DialectScore, table: TableInspection): boolean {
  if (table.separatorColumns > 0 || !(table.isAtStart || syntax.skipInitialSpace)) return false;
  if ((quoted >= records && table.isAtStart) || table.typedColumns * 2 > width) return true;
  return share === 1 && width >= MIN_EVEN_WIDTH && records >= MIN_EVEN_RECORDS && table.typedColumns > 0;
}

/** Returns whether a common delimiter is only part of the numbers, times or sentences of a single column. */
export function isOneColumn(text: string, candidate: DialectScore, isWhole: boolean): boolean {
  const { delimiter } = candidate.syntax;
  if (areTypedLines(firstLines(text), delimiter)) return true;
  if (!isSentencePunctuation(text, delimiter)) return false;
  const { isAtStart, typedColumns } = inspectTable(text, candidate, isWhole);
  return typedColumns === 0 && (!isAtStart || candidate.shareSplit < MIN_SPLIT_SHARE);
}

/** Ignores a first line without a delimiter, because it may be a title. */
function areTypedLines([first = '', ...others]: readonly string[], delimiter: string): boolean {
  const lines = first.includes(delimiter) ? [first, ...others] : others;
  return lines.length > 0 && lines.every(isTyped);
}

export function isSentencePunctuation(text: string, delimiter: string): boolean {
  const count = text.split(delimiter).length - 1;
  const inSentences = text.match(PUNCTUATION)?.filter(([sign]) => sign === delimiter).length ?? 0;
  return inSentences > 0 && inSentences >= count * MIN_PUNCTUATION_SHARE;
}

/** Ignores the first line, because it may be a title. */
function splitsSingleValues(text: string, delimiter: string): boolean {
  const [, ...lines] = firstLines(text);
  const unsplit = lines.filter((line) => isSingleValue(line) || splitsWordsOnly(line, delimiter));
  return unsplit.length > 0 && unsplit.length >= lines.length * MAJORITY_SHARE;
}

function firstLines(text: string): string[] {
  const lines = text.slice(0, MAX_INSPECTED_LINES * MAX_LINE_CHARACTERS).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== '').slice(0, MAX_INSPECTED_LINES);
}

function splitsWordsOnly(line: string, delimiter: string): boolean {
  const splitWords = line.split(/[\s,;|]+/).filter((word) => word.includes(delimiter));
  return splitWords.length > 0 && splitWords.every(isSingleValue);
}

interface TableInspection {
  /** Whether the table starts at the top of the text, or below a blank line or comment. */
  readonly isAtStart: boolean;
  readonly filledColumns: number;
  /** Number of columns that contain mostly numbers or times below the first record. */
  readonly typedColumns: number;
  /** Number of columns with the same punctuation mark in every row. Such a mark is probably the real delimiter. */
  readonly separatorColumns: number;
}

function inspectTable(text: string, { syntax, width }: DialectScore, isWhole: boolean): TableInspection {
  const all = scanRecords(new RecordScanner(text, syntax, isWhole), MAX_INSPECTED_RECORDS);
  const first = all.findIndex(({ values }) => values.length === width);
  const rows = all.filter(({ values }) => values.length === width);
  const columns = Array.from({ length: width }, (_, column) => rows.map(({ values }) => values[column]?.trim() ?? ''));
  return {
    isAtStart: first <= 0 || all[first]?.isApart === true,
    filledColumns: columns.filter((values) => values.some((value) => value !== '')).length,
    typedColumns: columns.filter(([, ...values]) => areTyped(values)).length,
    separatorColumns: columns.filter(
      ([first = '', ...values]) => PUNCTUATION_MARK.test(first) && values.every((value) => value === first),
    ).length,
  };
}

function areTyped(values: readonly string[]): boolean {
  const filled = values.filter((value) => value !== '');
  const typed = filled.filter(isTyped);
  return typed.length > 0 && typed.length >= filled.length * MAJORITY_SHARE;
}

function isTyped(value: string): boolean {
  const kind = cellTypeOf(value);
  return kind === 'number' || kind === 'time';
}
