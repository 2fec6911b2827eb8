export interface TrendPoint {
  readonly at: number;
  readonly value: number;
}

/** By least squares. Returns undefined for fewer than three points, or if the slope is not finite. */
export function computeTrendSlope(points: readonly TrendPoint[]): number | undefined {
  if (points.length < 3) return undefined;
  const [{ at: firstAt, value: firstValue } = { at: 0, value: 0 }] = points;
  const count = points.length;
  // Values relative to the first point give a constant series a slope of exactly 0.
  const meanAt = points.reduce((sum, { at }) => sum + at - firstAt, 0) / count;
  const meanValue = points.reduce((sum, { value }) => sum + (value - firstValue) / count, 0);
  const spread = points.reduce((sum, { at }) => sum + (at - firstAt - meanAt) ** 2, 0);
  const slope = points.reduce(
    (sum, { at, value }) => sum + ((at - firstAt - meanAt) / spread) * (value - firstValue - meanValue),
    0,
  );
  return Number.isFinite(slope) ? slope : undefined;
}
