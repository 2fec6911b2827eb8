import { MAX_COLUMNS } from '../model/csv-limits.js';
import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { scoreCellType } from './cell-type-score.js';

/** Records that rules are judged by, and values of them that are looked at. */
const MAX_SCORED_RECORDS = 500;
const MAX_SCORED_VALUES = 1_000;

/** What a first record of another width takes away: mostly the header is cut like the rest. */
const HEADER_MISMATCH_FACTOR = 0.5;

export interface DialectScore {
  readonly rules: RecordSyntax;
  /** From 0 to 1: how even the records are, by how well the values are cut. 0 where nothing is cut. */
  readonly strength: number;
  /** The same, less where the first record is not like the others: for comparing cuttings of one text. */
  readonly score: number;
  /** How well the values are cut, from 0 to 1. */
  readonly cellScore: number;
  /** Values in most of the records that are cut at all. */
  readonly width: number;
  /** Share of the records of that width. */
  readonly share: number;
  /** Share of the records that are cut at all. */
  readonly shareSplit: number;
  /** How many records there are, of those that were looked at. */
  readonly records: number;
  /** How many of their values are quoted. */
  readonly quoted: number;
  /** Whether a quote is never closed. */
  readonly hasUnclosedQuote: boolean;
}

interface ScoredRow {
  readonly values: readonly string[];
  readonly isQuoted: boolean;
}

/** How well rules cut a text. */
export function scoreDialect(text: string, rules: RecordSyntax, { isWhole }: { isWhole: boolean }): DialectScore {
  const scanner = new RecordScanner(text, rules, isWhole);
  const rows = scanRows(scanner);
  const { quoted } = scanner;
  if (rows.length === 0 && scanner.error === 'too wide')
    return {
      rules,
      strength: 1,
      score: 1,
      cellScore: 1,
      width: MAX_COLUMNS + 1,
      share: 1,
      shareSplit: 1,
      records: 1,
      quoted,
      hasUnclosedQuote: false,
    };
  const counts = countWidths(rows);
  const width = modalSplitWidth(counts);
  const usual = rows.filter(({ values }) => values.length === width);
  const fitness = scoreCells(usual, width);
  const strength = evennessOf(counts, rows.length) * shareFilled(usual, width) * fitness;
  const score = rows[0]?.values.length === width ? strength : strength * HEADER_MISMATCH_FACTOR;
  const records = rows.length;
  const isOpen = scanner.error === 'open quote';
  const share = usual.length / (records || 1);
  const shareCut = 1 - (counts.get(1) ?? 0) / (records || 1);
  return {
    rules,
    strength,
    score,
    cellScore: fitness,
    width,
    share,
    shareSplit: shareCut,
    records,
    quoted,
    hasUnclosedQuote: isOpen,
  };
}

function scanRows(scanner: RecordScanner): ScoredRow[] {
  const rows: ScoredRow[] = [];
  let quoted = 0;
  while (rows.length < MAX_SCORED_RECORDS) {
    const values = scanner.next();
    if (!values) break;
    rows.push({ values, isQuoted: scanner.quoted > quoted });
    quoted = scanner.quoted;
  }
  return rows;
}

function countWidths(rows: readonly ScoredRow[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { values } of rows) counts.set(values.length, (counts.get(values.length) ?? 0) + 1);
  return counts;
}

/** The width of most records; one value is no cut, and is left out where anything is cut. */
function modalSplitWidth(counts: ReadonlyMap<number, number>): number {
  let width = 1;
  let most = 0;
  for (const [candidate, count] of counts)
    if (candidate > 1 && (count > most || (count === most && candidate > width))) {
      width = candidate;
      most = count;
    }
  return width;
}

/** 1 where all records have one width that is large; less for each further width, and for two values than for ten. */
function evennessOf(counts: ReadonlyMap<number, number>, records: number): number {
  let sum = 0;
  for (const [width, count] of counts) sum += (count / records) ** 2 * ((width - 1) / width);
  return Math.sqrt(sum);
}

/** Less than 1 where a delimiter only ends each line: what is always empty is no column that was cut. */
function shareFilled(usual: readonly ScoredRow[], width: number): number {
  if (width !== 2) return 1;
  return usual.some(({ values }) => values[0]?.trim()) && usual.some(({ values }) => values[1]?.trim()) ? 1 : 0.5;
}

function scoreCells(usual: readonly ScoredRow[], width: number): number {
  const step = Math.max(1, Math.floor((usual.length * width) / MAX_SCORED_VALUES));
  let sum = 0;
  let seen = 0;
  for (let index = 0; index < usual.length && seen < MAX_SCORED_VALUES; index += step) {
    const row = usual[index];
    for (const value of row?.values ?? []) sum += scoreCellType(value, row?.isQuoted === true);
    seen += width;
  }
  return seen === 0 ? 0 : sum / seen;
}
