/** Whether a record has more values than columns. Excess blank values, after extra delimiters, do not count. */
export function hasExcessValues(values: readonly (string | null)[], width: number): boolean {
  for (let at = width; at < values.length; at++) if (values[at]?.trim() !== '') return true;
  return false;
}
