/** The values of a column that are not null, trimmed. */
export class ColumnValues {
  constructor(readonly values: readonly string[]) {}

  /** Whether so many values speak against a type that looking at the others is no use. */
  isMajority(count: number): boolean {
    return count * 2 > this.values.length;
  }

  /** Whether so many values speak for a type that the others may be mistakes. */
  isAtLeastHalf(count: number): boolean {
    return count > 0 && count * 2 >= this.values.length;
  }
}
