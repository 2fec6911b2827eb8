import type { AcceptedLevel } from '../contracts/table-contract.js';
import type { SpcPoint } from './find-process-level.js';

export interface TimedPoint extends SpcPoint {
  /** In milliseconds since 1970. */
  readonly capturedAt: number;
}

export function findAcceptedLevel(
  levels: readonly AcceptedLevel[] | null | undefined,
  seriesId: string,
): AcceptedLevel | undefined {
  return levels?.find((level) => level.seriesId === seriesId);
}

/**
 * Omits points older than `from`. Clears `beyond` in points that are not newer than `acceptedAt`, because the service
 * compared these points with the former level.
 */
export function pointsOfLevel(points: readonly TimedPoint[], level: AcceptedLevel | undefined): SpcPoint[] {
  if (!level) return [...points];
  const [from, acceptedAt] = [Date.parse(level.from), Date.parse(level.acceptedAt)];
  return points
    .filter(({ capturedAt }) => capturedAt >= from)
    .map((point) => (point.capturedAt <= acceptedAt ? { ...point, beyond: undefined } : point));
}
