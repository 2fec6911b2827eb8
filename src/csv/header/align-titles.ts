/**
 * Returns one title per column: the titles of the header, adapted to the width of the rows. If rows have one value more
 * than the header, adds an empty title: at the end if the rows end with a delimiter, at the start if R wrote row names
 * without a title. If only the header ends with a delimiter, drops its last, empty title.
 */
export function alignTitles(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const width = modalWidth(rows);
  if (width === titles.length + 1)
    return isColumnEmpty(rows, width - 1) ? [...titles, ''] : alignRowNames(titles, rows);
  const endsWithDelimiter = width === titles.length - 1 && titles.at(-1)?.trim() === '';
  return endsWithDelimiter ? titles.slice(0, -1) : titles;
}

/** The most frequent width; among equally frequent widths, the largest; 0 without rows. */
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

/** Row names must be unique and not empty. */
function alignRowNames(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const names = new Set(rows.map(([name = '']) => name.trim()));
  const areNames = rows.length > 1 && names.size === rows.length && !names.has('');
  return areNames ? ['', ...titles] : titles;
}
