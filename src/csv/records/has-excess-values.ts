/**
 * Returns whether a record has more values than columns. Ignores blank values after the last column, because they
 * result from extra delimiters.
 */
export function hasExcessValues(values: readonly (string | null)[], width: number): boolean {
  for (let at = width; at < values.length; at++) if (values[at]?.trim() !== '') return true;
  return false;
}
