/**
 * Adapts the titles of the header to the most frequent number of values per row:
 * - One value more than titles, and the first values are unique: adds an empty title at the start. The first values are
 *   row names, which R writes without a title.
 * - More values than titles in all other cases: adds empty titles at the end.
 * - One value less than titles: drops the empty title, if there is exactly one.
 * - In all other cases: keeps the titles.
 */
export function alignTitles(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const width = modalWidth(rows);
  if (width > titles.length) {
    if (width === titles.length + 1 && hasRowNames(rows, width)) return ['', ...titles];
    return [...titles, ...Array.from({ length: width - titles.length }, () => '')];
  }
  const empty = titles.filter((title) => title.trim() === '').length;
  return width === titles.length - 1 && empty === 1 ? titles.filter((title) => title.trim() !== '') : titles;
}

/** Counts the last columns that have neither a title nor a value. Always leaves at least one column. */
export function countEmptyColumns(titles: readonly string[], rows: readonly (readonly string[])[]): number {
  let width = titles.length;
  while (width > 1 && titles[width - 1]?.trim() === '' && isColumnEmpty(rows, width - 1)) width--;
  return titles.length - width;
}

/**
 * Returns the most frequent number of values per row, or 0 without rows. Among equally frequent numbers, returns the
 * largest.
 */
export function modalWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  let width = 0;
  for (const { length } of rows) {
    const count = (counts.get(length) ?? 0) + 1;
    counts.set(length, count);
    const most = counts.get(width) ?? 0;
    if (count > most || (count === most && length > width)) width = length;
  }
  return width;
}

function isColumnEmpty(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => (row[column] ?? '').trim() === '');
}

/** Row names must be unique and not empty, and the last column must have values. */
function hasRowNames(rows: readonly (readonly string[])[], width: number): boolean {
  if (isColumnEmpty(rows, width - 1)) return false;
  const even = rows.filter((row) => row.length === width);
  const names = new Set(even.map(([name = '']) => name.trim()));
  return even.length > 1 && names.size === even.length && !names.has('');
}
