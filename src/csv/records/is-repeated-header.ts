import { hasExcessValues } from './has-excess-values.js';

/** Without `title`, `name` is the title. */
export interface Column {
  readonly name: string;
  readonly title?: string;
}

/**
 * Returns whether a record repeats the header, as in a file that was concatenated from several files. Returns false for
 * a table of one column, because the title may also be a value of that column.
 */
export function isRepeatedHeader(values: readonly string[], columns: readonly Column[]): boolean {
  if (columns.length === 1 || !repeatsTitle(values[0], columns[0], 0)) return false;
  const hasAllTitles = columns.every((column, at) => repeatsTitle(values[at], column, at));
  return hasAllTitles && !hasExcessValues(values, columns.length);
}

/**
 * Returns whether a value is the title of column `at`. An empty value repeats the missing title of a column with a
 * generated name.
 */
export function repeatsTitle(value: string | undefined, column: Column | undefined, at: number): boolean {
  if (value === undefined || column === undefined) return false;
  const text = value.trim();
  return text === (column.title ?? column.name).trim() || (text === '' && column.name === `column_${at + 1}`);
}
