/** A measured value of a series. */
export interface SeriesValue {
  readonly value: number;
  /** Number of rows that a share was computed from, at least 1; undefined for other values, and if unknown. */
  readonly sampleSize?: number | undefined;
}
