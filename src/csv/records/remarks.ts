/** A table has at most this many remarks below it, and always fewer remarks than rows. */
export const MAX_REMARKS = 30;

const MAX_REMARK_CHARACTERS = 4_096;

/**
 * Returns whether a record may be a remark below a table of `width` columns. A table of one column has no remarks. In
 * other tables, these records may be remarks:
 * - A single value without a delimiter.
 * - With three or more columns: a record whose values are all empty.
 * - With three or more columns, after another possible remark: a record in which only the first value is not empty.
 */
export function isRemark(values: readonly string[], width: number, { follows }: { follows: boolean }): boolean {
  const [first = ''] = values;
  if (width === 1 || values.length > width || first.length > MAX_REMARK_CHARACTERS) return false;
  if (values.length === 1) return true;
  if (width === 2 || (!follows && first.trim() !== '')) return false;
  for (let at = 1; at < values.length; at++) if (values[at]?.trim() !== '') return false;
  return true;
}

/** A record that may be a remark. */
export interface HeldRecord {
  readonly row: number;
  readonly line: number;
  readonly values: (string | null)[];
  readonly record: string;
}
