import { type CellType, cellTypeOf } from './cell-type.js';

const MAX_COMPARED_ROWS = 100;
const MAX_COMPARED_COLUMNS = 100;

/** A longer text is a title only if the values below have another type. */
const MAX_TITLE_CHARACTERS = 80;

type Rows = readonly (readonly string[])[];

/**
 * Returns whether a record is the header of the rows below. The values of a header have other types than the values
 * below. If the types do not decide, the values of the record must resemble titles.
 */
export function isHeaderRow(first: readonly string[], rows: Rows): boolean {
  const compared = rows.slice(0, MAX_COMPARED_ROWS);
  const years = yearsOf(first, compared);
  const sum = sumOf(votesOf(first, compared).filter((_, column) => !years.has(column)));
  if (sum !== 0) return sum > 0;
  return looksLikeTitles(first.filter((_, column) => !years.has(column)));
}

/** Returns whether all values of a record are different titles, and the types of the values below indicate a header. */
export function isTitledRow(first: readonly string[], rows: Rows): boolean {
  return sumOf(votesOf(first, rows.slice(0, MAX_COMPARED_ROWS))) > 0 && isTitles(first);
}

/**
 * Returns whether `first` is a remark above the header `next`, although both have the same number of values. Every
 * value of `next` must be a title, and two titles must be above numbers, times or booleans. One such title is
 * sufficient if `first` has only one value that is not blank, or no value that resembles the values below.
 */
export function isRemarkAbove(next: readonly string[], first: readonly string[], rows: Rows): boolean {
  const compared = rows.slice(0, MAX_COMPARED_ROWS);
  if (!isTitles(next) || isTitles(first)) return false;
  const votes = votesOf(first, compared);
  const nextSum = sumOf(votesOf(next, compared));
  if (sumOf(votes) < 0) return false; // `first` resembles the rows below, so it is not a remark.
  const isSingle = first.filter((value) => value.trim() !== '').length === 1;
  return (
    nextSum >= 2 || (isSingle && nextSum >= 1) || (nextSum >= 1 && nextSum > sumOf(votes) && !votes.includes(RESEMBLES))
  );
}

/** Returns the columns that contain a text in the record, but numbers, times or booleans in the rows. */
export function findMisfits(record: readonly string[], rows: Rows): number[] {
  return votesOf(record, rows.slice(-MAX_COMPARED_ROWS)).flatMap((vote, column) => (vote === MISFITS ? [column] : []));
}

const RESEMBLES = -1;

const MISFITS = 1;

function votesOf(first: readonly string[], compared: Rows): number[] {
  return first.slice(0, MAX_COMPARED_COLUMNS).map((title, column) => voteOf(title, valuesOf(compared, column)));
}

function sumOf(votes: readonly number[]): number {
  return votes.reduce((total, vote) => total + vote, 0);
}

/** Returns whether all values are different short texts. */
export function isTitles(values: readonly string[]): boolean {
  return values.every((value) => value.trim() !== '') && looksLikeTitles(values);
}

function valuesOf(rows: readonly (readonly string[])[], column: number): string[] {
  return rows.map((row) => row[column]?.trim() ?? '').filter((value) => cellTypeOf(value) !== 'empty');
}

/**
 * Returns a positive number for a text above values of another type. Returns a negative number for a title that is a
 * number, time or boolean, and for a text that also occurs below. Otherwise, returns 0.
 */
function voteOf(title: string, values: readonly string[]): number {
  const usual = usualKind(values);
  const kind = kindOfTitle(title, usual);
  if (kind === 'empty' || values.length === 0) return 0;
  if (usual !== 'text') return kind === 'text' ? MISFITS : kind === usual ? RESEMBLES : -0.5;
  if (kind !== 'text') return -0.5;
  if (values.includes(title.trim())) return -0.5;
  return 0;
}

/**
 * A column of numbers may have the title `n`, and a column of times may have the title `t`. Such a title counts as a
 * boolean only if the values below are booleans.
 */
function kindOfTitle(title: string, usual: CellType): CellType {
  const kind = cellTypeOf(title);
  return kind === 'boolean' && usual !== 'boolean' ? 'text' : kind;
}

function usualKind(values: readonly string[]): CellType {
  const counts = new Map<CellType, number>();
  for (const value of values) {
    const kind = cellTypeOf(value);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of counts) if (count >= values.length * 0.8) return kind;
  return 'text';
}

/**
 * Returns the columns whose titles are consecutive years, such as 2019, 2020, 2021. Returns none if a value below these
 * titles is a year, or if no other title is a text.
 */
function yearsOf(first: readonly string[], rows: readonly (readonly string[])[]): Set<number> {
  const years = new Set<number>();
  for (const [column, title] of first.entries()) if (isYear(title)) years.add(column);
  const numbers = [...years].map((column) => Number(first[column]));
  const isRun =
    numbers.length > 1 &&
    numbers.every((year, index) => index === 0 || Math.abs(year - (numbers[index - 1] ?? 0)) === 1);
  const areYears = [...years].some((column) => valuesOf(rows, column).some(isYear));
  return isRun && !areYears && first.some((title) => cellTypeOf(title) === 'text') ? years : new Set();
}

function isYear(text: string): boolean {
  return /^(19|20)\d\d$/.test(text.trim());
}

function looksLikeTitles(first: readonly string[]): boolean {
  const titles = first.map((title) => title.trim()).filter((title) => title !== '');
  if (titles.length === 0 || titles.length < first.length / 2) return false;
  if (new Set(titles).size < titles.length) return false;
  return titles.every(
    (title) => title.length <= MAX_TITLE_CHARACTERS && ['text', 'boolean'].includes(cellTypeOf(title)),
  );
}
