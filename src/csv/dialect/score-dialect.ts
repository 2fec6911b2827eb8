import { MAX_COLUMNS } from '../model/csv-limits.js';
import { RecordScanner, type RecordSyntax } from '../records/record-scanner.js';
import { scoreCellType } from './cell-type-score.js';

/** Limits of the examined sample. */
const MAX_SCORED_RECORDS = 500;
const MAX_SCORED_VALUES = 1_000;

/**
 * Factor for a first record with a width different from the other records. A header usually has the width of the rows.
 */
const HEADER_MISMATCH_FACTOR = 0.5;

export interface DialectScore {
  readonly syntax: RecordSyntax;
  /**
   * Product of the uniformity of the widths and the plausibility of the values, from 0 to 1. Half of the product if
   * there are exactly two columns and one of them is empty. 0 if the delimiter splits no record.
   */
  readonly strength: number;
  /**
   * The product `strength`, reduced if the width of the first record differs from the other widths. For comparisons of
   * dialects of the same text.
   */
  readonly score: number;
  /** Plausibility of the values, from 0 to 1. */
  readonly cellScore: number;
  /** Most frequent width of split records. The width of a record is its number of values. */
  readonly width: number;
  /** Share of records with that width. */
  readonly share: number;
  /** Share of records that the delimiter splits. */
  readonly shareSplit: number;
  /** Number of examined records. */
  readonly records: number;
  /** Number of quoted values. */
  readonly quoted: number;
  /** Whether a closing quote is missing. */
  readonly hasUnclosedQuote: boolean;
}

interface ScoredRow {
  readonly values: readonly string[];
  readonly isQuoted: boolean;
}

/** Scores how well a dialect splits a text. A text whose first record has too many columns gets the highest score. */
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

/** Returns the most frequent width. Ignores unsplit records, unless the delimiter splits no record. */
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
 * Returns a number close to 1 if all records have the same large width. The number is lower for mixed widths and for
 * few columns.
 */
function widthUniformity(counts: ReadonlyMap<number, number>, records: number): number {
  let sum = 0;
  for (const [width, count] of counts) sum += (count / records) ** 2 * ((width - 1) / width);
  return Math.sqrt(sum);
}

/**
 * Returns 0.5 if one of two columns has no values, as with a delimiter that occurs only at line ends. Otherwise,
 * returns 1.
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
