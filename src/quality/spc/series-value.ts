export interface SeriesValue {
  readonly value: number;
  /**
   * Number of rows from which a share was computed, at least 1. Undefined if the value is not a share, or if the number
   * is unknown.
   */
  readonly sampleSize?: number | undefined;
}
