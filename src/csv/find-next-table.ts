import { cellTypeOf } from './header/cell-type.js';
import { findMisfits, isTitledRow, isTitles } from './header/detect-header.js';
import { splitNullTokens } from './inference/null-tokens.js';
import { MAX_NAME_CHARACTERS } from './model/csv-limits.js';
import { type Column, isRepeatedHeader } from './records/is-repeated-header.js';
import type { CsvRecord } from './records/parse-csv-records.js';

const MAX_COMPARED_ROWS = 100;

/**
 * Maximum number of possible headers that the search checks. A file with more possible headers has uneven rows instead
 * of several tables.
 */
const MAX_CANDIDATES = 20;

/** Minimum number of rows below the header of another table. */
const MIN_ROWS = 2;
const MIN_ROWS_WITHOUT_BREAK = 3;

/** To save time, `isOtherVersion` reads only this number of values if none of them is a title. */
const GLANCED_VALUES = 3;

/** A title, a blank line or a comment above a record. */
interface Break {
  readonly hasBlankLine: boolean;
  readonly isFirst: boolean;
}

class BreakFinder {
  #previous: readonly string[] | undefined;
  #hasBlankLine = false;
  #count = 0;

  /** Returns the break directly above a record. `isApart` means that the record is below a blank line or comment. */
  next(values: readonly string[], isApart: boolean): Break | undefined {
    const above = this.#previous;
    this.#previous = values;
    const hasTitle = above !== undefined && above.length < 2;
    this.#hasBlankLine = isApart || (hasTitle && (this.#hasBlankLine || above.length === 0));
    if (above === undefined || !(this.#hasBlankLine || hasTitle)) return undefined;
    const isFirst = this.#count === 0;
    if (values.length > 1) this.#count++;
    return { hasBlankLine: this.#hasBlankLine, isFirst };
  }
}

/**
 * Returns the index of the record that is the header of another table, or undefined if there is none. `records` are the
 * rows of a table with `columns`. The header of another table consists of titles, and one of these conditions applies:
 * - Most of these titles are also titles of this table, but their order or number is different.
 * - The titles are above values of another type, and the record clearly does not belong to this table.
 */
export function findNextTable(
  records: readonly CsvRecord[],
  columns: readonly Column[],
  { hasHeader }: { hasHeader: boolean },
): number | undefined {
  const titles = new Map(hasHeader ? columns.map(({ title, name }, at) => [normalize(title ?? name), at]) : []);
  const breaks = new BreakFinder();
  const widths = new Set<number>();
  let widthAbove: number | undefined;
  let candidates = 0;
  for (const [at, { values, isApart = false }] of records.entries()) {
    const own = withoutBlanksAtEnd(values);
    const before = breaks.next(own, isApart);
    const isSame = hasHeader && (isRepeatedHeader(values, columns) || areTitles(own, titles));
    if (at > 0 && own.length > 1 && !isSame) {
      if (isOtherVersion(own, titles)) return at < records.length - 1 ? at : undefined;
      if ((before || own.length !== widthAbove) && candidates < MAX_CANDIDATES && isTitles(own)) {
        candidates++;
        const isOther = own.length !== columns.length && !widths.has(own.length);
        if (startsTable(own, before, neighbors(records, at, own.length), isOther)) return at;
      }
    }
    widths.add(own.length);
    widthAbove = own.length;
  }
  return undefined;
}

function areTitles(values: readonly string[], titles: ReadonlyMap<string, number>): boolean {
  return values.length === titles.size && values.every((value, at) => titles.get(normalize(value)) === at);
}

/** Returns whether most values of a record are titles of the header. The caller must exclude the header itself. */
function isOtherVersion(values: readonly string[], titles: ReadonlyMap<string, number>): boolean {
  const isTitle = (value: string) => value.length <= MAX_NAME_CHARACTERS && titles.has(normalize(value));
  if (!values.slice(0, GLANCED_VALUES).some(isTitle)) return false;
  const known = values.filter(isTitle).length;
  return known > 1 && known * 2 > values.length && isTitles(values);
}

interface Neighbors {
  readonly above: readonly (readonly string[])[];
  /** Rows directly below the possible header. They have at most as many values as the header. */
  readonly below: readonly (readonly string[])[];
}

function neighbors(records: readonly CsvRecord[], at: number, width: number): Neighbors {
  const rows = records.slice(at + 1, at + 1 + MAX_COMPARED_ROWS).map(({ values }) => withoutBlanksAtEnd(values));
  const end = rows.findIndex(({ length }) => length < 2 || length > width);
  const above = records.slice(Math.max(0, at - MAX_COMPARED_ROWS), at).map(({ values }) => withoutBlanksAtEnd(values));
  return { above: above.filter(({ length }) => length > 1), below: end < 0 ? rows : rows.slice(0, end) };
}

/**
 * If `isOther` is true, the width of the record differs from the width of the table and from the widths of all rows
 * above.
 */
function startsTable(
  values: readonly string[],
  before: Break | undefined,
  { above, below }: Neighbors,
  isOther: boolean,
): boolean {
  if (below.length < MIN_ROWS || !isTitledRow(values, below) || splitNullTokens(values).tokens.length > 0) return false;
  const misfits = findMisfits(values, above);
  if (isOther) return before !== undefined || (misfits.length > 0 && below.length >= MIN_ROWS_WITHOUT_BREAK);
  if (!before || misfits.length === 0) return false;
  // A single text among numbers, such as `n/a`, may mark a missing value.
  const isOnlyText = (column: number) => [...above, ...below].every((row) => cellTypeOf(row[column] ?? '') !== 'text');
  return misfits.length > 1 || (before.hasBlankLine && before.isFirst && misfits.every(isOnlyText));
}

function withoutBlanksAtEnd(values: readonly string[]): readonly string[] {
  const end = values.findLastIndex((value) => value.trim() !== '') + 1;
  return end === values.length ? values : values.slice(0, end);
}

function normalize(title: string): string {
  return title.trim().toLowerCase();
}
