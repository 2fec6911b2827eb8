import { MAX_COLUMNS } from '../model/csv-limits.js';
import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { scoreCellType } from './cell-type-score.js';

const MAX_SCORED_RECORDS = 500;
const MAX_SCORED_VALUES = 1_000;

/** Factor for a first record of an unusual width. A header usually has the width of the rows. */
const HEADER_MISMATCH_FACTOR = 0.5;

export interface DialectScore {
  readonly syntax: RecordSyntax;
  /**
   * Uniformity of the record widths (values per record) multiplied by the plausibility of the values, from 0 to 1.
   * Halved if one of exactly two columns is empty. 0 if the delimiter splits no record.
   */
  readonly strength: number;
  /** `strength`, halved if the first record does not have this `width`. Serves to compare dialects of the same text. */
  readonly score: number;
  /** Plausibility of the values, from 0 to 1. */
  readonly cellScore: number;
  /** Most frequent number of values per record. Ignores unsplit records. 1 if the delimiter splits no record. */
  readonly width: number;
  /** Share of records that have this `width`. */
  readonly share: number;
  /** Share of records that the delimiter splits. */
  readonly shareSplit: number;
  readonly records: number;
  readonly quoted: number;
  readonly hasUnclosedQuote: boolean;
}

interface ScoredRow {
  readonly values: readonly string[];
  readonly isQuoted: boolean;
}

/**
 * If the first record exceeds the maximum number of columns, returns the highest score. The service then selects this
 * syntax, and the parser reports the error.
 */
export function scoreDialect(text: string, syntax: RecordSyntax, { isWhole }: { isWhole: boolean }): DialectScore {
  const scanner = new RecordScanner(text, syntax, isWhole);
  const rows = scanRows(scanner);
  const { quoted } = scanner;
  if (rows.length === 0 && scanner.error === 'too wide')
    return {
      syntax,
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
  const cellScore = scoreCells(usual, width);
  const strength = widthUniformity(counts, rows.length) * shareFilled(usual, width) * cellScore;
  const score = rows[0]?.values.length === width ? strength : strength * HEADER_MISMATCH_FACTOR;
  const records = rows.length;
  const isOpen = scanner.error === 'open quote';
  const share = usual.length / (records || 1);
  const shareSplit = 1 - (counts.get(1) ?? 0) / (records || 1);
  return {
    syntax,
    strength,
    score,
    cellScore,
    width,
    share,
    shareSplit,
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

/**
 * Returns a result close to 1 if all records have the same large number of columns. Mixed widths or few columns lower
 * the result.
 */
function widthUniformity(counts: ReadonlyMap<number, number>, records: number): number {
  let sum = 0;
  for (const [width, count] of counts) sum += (count / records) ** 2 * ((width - 1) / width);
  return Math.sqrt(sum);
}

/**
 * If one of two columns is empty, returns 0.5, because the delimiter occurs only at the start or end of lines.
 * Otherwise, returns 1.
 */
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
