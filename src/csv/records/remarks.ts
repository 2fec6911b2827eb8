/** Maximum number of remarks below a table. A table also has fewer remarks than rows. */
export const MAX_REMARKS = 30;

/** Maximum length of a remark, in characters. */
const MAX_REMARK_CHARACTERS = 4_096;

/**
 * Returns whether a record may belong to the remarks below a table of `width` columns. Such a record is a single value
 * without a delimiter. In a table of three or more columns, it may also have no values. If it follows another such
 * record, it may have only its first value. A table of one column has no remarks.
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
  /** Text of the record. */
  readonly record: string;
}
