import { cellTypeOf } from '../header/cell-type.js';
import { scanRecords } from '../header/locate-table.js';
import { RecordScanner } from '../records/record-scanner.js';
import type { DialectScore } from './score-dialect.js';
import { isSingleValue } from './single-value.js';

/** Records and lines that are looked at. */
const MAX_INSPECTED_RECORDS = 100;
const MAX_INSPECTED_LINES = 20;
const MAX_LINE_CHARACTERS = 400;

/** Records from which a rare delimiter can be told, and the share of them that is even, if not a quoted value in each. */
const MIN_RARE_RECORDS = 4;
const MIN_RARE_SHARE = 0.85;

/** Share of the values, or of the lines, that are of one kind. */
const MAJORITY_SHARE = 0.8;

/** Share of the records that are cut, below which the others are no mere remarks around a table. */
const MIN_SPLIT_SHARE = 0.7;

/** A comma or semicolon, as it stands in a sentence. */
const PUNCTUATION = /[,;] /g;
const MIN_PUNCTUATION_SHARE = 0.9;

/** Whether a rare delimiter makes a table, and does not merely stand in each value of one column. */
export function isEvidentTable(text: string, cutting: DialectScore, isWhole: boolean): boolean {
  const { records, share, quoted, rules, width } = cutting;
  const isQuoted = quoted >= records;
  if (records < MIN_RARE_RECORDS || (share < MIN_RARE_SHARE && !isQuoted)) return false;
  if (splitsSingleValues(text, rules.delimiter)) return false;
  const table = inspectTable(text, cutting, isWhole);
  if (!table.isAtStart || table.filledColumns < 2) return false;
  return rules.delimiter !== ' ' || isQuoted || table.typedColumns * 2 > width;
}

/** Whether a common delimiter that cuts some lines merely stands in numbers, times or texts of one column. */
export function isOneColumn(text: string, cutting: DialectScore, isWhole: boolean): boolean {
  const { delimiter } = cutting.rules;
  if (areTypedLines(firstLines(text), delimiter)) return true;
  if (!isSentencePunctuation(text, delimiter)) return false;
  const { isAtStart, typedColumns } = inspectTable(text, cutting, isWhole);
  return typedColumns === 0 && (!isAtStart || cutting.shareSplit < MIN_SPLIT_SHARE);
}

/** Whether each line is a number or a time as a whole, groups of digits and all, but for an uncut title. */
function areTypedLines([first = '', ...others]: readonly string[], delimiter: string): boolean {
  const lines = first.includes(delimiter) ? [first, ...others] : others;
  return lines.length > 0 && lines.every(isTyped);
}

/** Whether nearly each comma or semicolon has a blank behind it. */
export function isSentencePunctuation(text: string, delimiter: string): boolean {
  const count = text.split(delimiter).length - 1;
  const inSentences = text.match(PUNCTUATION)?.filter(([sign]) => sign === delimiter).length ?? 0;
  return inSentences > 0 && inSentences >= count * MIN_PUNCTUATION_SHARE;
}

/** Whether most lines are one thing as they stand, or are cut by the delimiter within such things only. The first may be a title. */
function splitsSingleValues(text: string, delimiter: string): boolean {
  const [, ...lines] = firstLines(text);
  const whole = lines.filter((line) => isSingleValue(line) || splitsWordsOnly(line, delimiter));
  return whole.length > 0 && whole.length >= lines.length * MAJORITY_SHARE;
}

function firstLines(text: string): string[] {
  const lines = text.slice(0, MAX_INSPECTED_LINES * MAX_LINE_CHARACTERS).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== '').slice(0, MAX_INSPECTED_LINES);
}

function splitsWordsOnly(line: string, delimiter: string): boolean {
  const cut = line.split(/[\s,;|]+/).filter((word) => word.includes(delimiter));
  return cut.length > 0 && cut.every(isSingleValue);
}

interface TableInspection {
  /** Whether nothing stands above the table, or a blank line in between. */
  readonly isAtStart: boolean;
  /** Columns that hold any value, and those that hold numbers or times below the first record. */
  readonly filledColumns: number;
  readonly typedColumns: number;
}

function inspectTable(text: string, { rules, width }: DialectScore, isWhole: boolean): TableInspection {
  const all = scanRecords(new RecordScanner(text, rules, isWhole), MAX_INSPECTED_RECORDS);
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
