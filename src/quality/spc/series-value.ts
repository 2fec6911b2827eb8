export interface SeriesValue {
  readonly value: number;
  /**
   * Number of rows from which a share was computed, at least 1. Undefined for other values, and if the number is
   * unknown.
   */
  readonly sampleSize?: number | undefined;
}
