/**
 * The titles of a table, one for each column: as many as the header has, but for two habits. Where rows have one value more, it is a delimiter at
 * the end of each row, or a first column of row names without a title (as R writes it); where the header alone ends with a delimiter, nothing
 * stands below it.
 */
export function alignTitles(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const width = modalWidth(rows);
  if (width === titles.length + 1)
    return isColumnEmpty(rows, width - 1) ? [...titles, ''] : alignRowNames(titles, rows);
  const isEndedTwice = width === titles.length - 1 && titles.at(-1)?.trim() === '';
  return isEndedTwice ? titles.slice(0, -1) : titles;
}

/** The width of most rows, the larger of two; 0 without rows. */
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

/** Names of rows are all there, and no two of them are the same. */
function alignRowNames(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const names = new Set(rows.map(([name = '']) => name.trim()));
  const areNames = rows.length > 1 && names.size === rows.length && !names.has('');
  return areNames ? ['', ...titles] : titles;
}
