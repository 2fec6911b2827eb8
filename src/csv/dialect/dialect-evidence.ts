import { cellTypeOf } from '../header/cell-type.js';
import { scanRecords } from '../header/locate-table.js';
import { RecordScanner } from '../records/record-scanner.js';
import type { DialectScore } from './score-dialect.js';
import { isSingleValue } from './single-value.js';

/** Limits of the examined sample. */
const MAX_INSPECTED_RECORDS = 100;
const MAX_INSPECTED_LINES = 20;
const MAX_LINE_CHARACTERS = 400;

/**
 * A rare delimiter requires this many records. It also requires this share of records with the same width, or a quoted
 * value in every record.
 */
const MIN_RARE_RECORDS = 4;
const MIN_RARE_SHARE = 0.85;

/** Share of values or lines that makes a majority. */
const MAJORITY_SHARE = 0.8;

/**
 * Minimum share of split records. With a lower share, the unsplit records are too many to be remarks around a table.
 */
const MIN_SPLIT_SHARE = 0.7;

/** A comma or semicolon followed by a space, as in a sentence. */
const PUNCTUATION = /[,;] /g;
const MIN_PUNCTUATION_SHARE = 0.9;

/** Whether a rare delimiter really separates columns, and is not just part of every value of a single column. */
export function isEvidentTable(text: string, candidate: DialectScore, isWhole: boolean): boolean {
  const { records, share, quoted, syntax, width } = candidate;
  const isQuoted = quoted >= records;
  if (records < MIN_RARE_RECORDS || (share < MIN_RARE_SHARE && !isQuoted)) return false;
  if (splitsSingleValues(text, syntax.delimiter)) return false;
  const table = inspectTable(text, candidate, isWhole);
  if (!table.isAtStart || table.filledColumns < 2) return false;
  return syntax.delimiter !== ' ' || isQuoted || table.typedColumns * 2 > width;
}

/** Whether a common delimiter is only part of the numbers, times or sentences of a single column. */
export function isOneColumn(text: string, candidate: DialectScore, isWhole: boolean): boolean {
  const { delimiter } = candidate.syntax;
  if (areTypedLines(firstLines(text), delimiter)) return true;
  if (!isSentencePunctuation(text, delimiter)) return false;
  const { isAtStart, typedColumns } = inspectTable(text, candidate, isWhole);
  return typedColumns === 0 && (!isAtStart || candidate.shareSplit < MIN_SPLIT_SHARE);
}

/**
 * Whether every line is a single number or time, such as `1,234`. The first line may be a title without a delimiter.
 */
function areTypedLines([first = '', ...others]: readonly string[], delimiter: string): boolean {
  const lines = first.includes(delimiter) ? [first, ...others] : others;
  return lines.length > 0 && lines.every(isTyped);
}

/** Whether nearly every comma or semicolon is followed by a space. */
export function isSentencePunctuation(text: string, delimiter: string): boolean {
  const count = text.split(delimiter).length - 1;
  const inSentences = text.match(PUNCTUATION)?.filter(([sign]) => sign === delimiter).length ?? 0;
  return inSentences > 0 && inSentences >= count * MIN_PUNCTUATION_SHARE;
}

/**
 * Whether most lines are single values, or contain the delimiter only inside single values. Ignores the first line, a
 * possible title.
 */
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
  /** Whether the table starts at the top of the text, or after a blank line. */
  readonly isAtStart: boolean;
  /** Number of columns with any value, and of columns with mostly numbers or times below the first record. */
  readonly filledColumns: number;
  readonly typedColumns: number;
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
