export interface TrendPoint {
  /** Which run it is of, counted. */
  readonly at: number;
  readonly value: number;
}

/** Change of the value a run, by least squares; undefined of fewer than three points, or where no number can hold it. */
export function computeTrendSlope(points: readonly TrendPoint[]): number | undefined {
  if (points.length < 3) return undefined;
  const [{ at: firstAt, value: firstValue } = { at: 0, value: 0 }] = points;
  const count = points.length;
  // Measured from the first point, a constant series has the slope 0, to the last bit.
  const meanAt = points.reduce((sum, { at }) => sum + at - firstAt, 0) / count;
  const meanValue = points.reduce((sum, { value }) => sum + (value - firstValue) / count, 0);
  const spread = points.reduce((sum, { at }) => sum + (at - firstAt - meanAt) ** 2, 0);
  const slope = points.reduce(
    (sum, { at, value }) => sum + ((at - firstAt - meanAt) / spread) * (value - firstValue - meanValue),
    0,
  );
  return Number.isFinite(slope) ? slope : undefined;
}
