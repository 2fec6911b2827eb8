import { hasExcessValues } from './has-excess-values.js';

/** Title of a column; `name` is also the title if there is no `title`. */
export interface Column {
  readonly name: string;
  readonly title?: string;
}

/**
 * Whether a record repeats the header, as in a file that was concatenated from several files. In a table of one column,
 * it may be a value.
 */
export function isRepeatedHeader(values: readonly string[], columns: readonly Column[]): boolean {
  if (columns.length === 1 || !repeatsTitle(values[0], columns[0], 0)) return false;
  const hasAllTitles = columns.every((column, at) => repeatsTitle(values[at], column, at));
  return hasAllTitles && !hasExcessValues(values, columns.length);
}

/** Whether a value is the title of column `at`. A column without a title has a generated name. */
export function repeatsTitle(value: string | undefined, column: Column | undefined, at: number): boolean {
  if (value === undefined || column === undefined) return false;
  const text = value.trim();
  return text === (column.title ?? column.name).trim() || (text === '' && column.name === `column_${at + 1}`);
}
