/** Non-null values of a column, trimmed. */
export class ColumnValues {
  constructor(readonly values: readonly string[]) {}

  /** Whether this many mismatches rule out a type. */
  isMajority(count: number): boolean {
    return count * 2 > this.values.length;
  }

  /** Whether this many matches make a type plausible; the other values may be errors. */
  isAtLeastHalf(count: number): boolean {
    return count > 0 && count * 2 >= this.values.length;
  }
}
