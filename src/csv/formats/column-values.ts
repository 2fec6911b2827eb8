/** Non-null values of a column, trimmed. */
export class ColumnValues {
  constructor(readonly values: readonly string[]) {}

  /** Returns whether this number of mismatches rules out a type. */
  isMajority(count: number): boolean {
    return count * 2 > this.values.length;
  }

  /** Returns whether this number of matches makes a type plausible. */
  isAtLeastHalf(count: number): boolean {
    return count > 0 && count * 2 >= this.values.length;
  }
}
