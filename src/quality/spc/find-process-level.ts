import type { TrendPoint } from './trend-slope.js';

export interface SpcPoint {
  readonly value: number;
  /** The limit that an OUT_OF_CONTROL point is beyond; undefined for other points. */
  readonly beyond?: 'above' | 'below' | undefined;
}

/** Consecutive points beyond the same limit that count as a new level instead of outliers. */
const SHIFT_POINTS = 3;

/** The current level of a series. */
export interface ProcessLevel {
  /** All points since the start of the level, oldest first, including outliers. */
  readonly values: readonly number[];
  /** Points that limits are computed from; `at` is the index in `values`. */
  readonly baseline: readonly TrendPoint[];
  /** Whether one more point beyond the limit on that side would start a new level. */
  readonly endsBefore: (side: 'above' | 'below') => boolean;
}

/**
 * Number of earlier points that determine a result: the baseline has the last `windowSize` points within their limits,
 * and the longest pattern has 15 points.
 */
export function requiredHistoryLength(windowSize: number): number {
  return 2 * windowSize + 15;
}

/**
 * Scans the history from the oldest point. `SHIFT_POINTS` consecutive points beyond the same limit start a new level
 * and belong to it.
 */
export function findProcessLevel(history: readonly SpcPoint[], windowSize: number): ProcessLevel {
  let start = 0;
  let baseline: TrendPoint[] = [];
  let streak: TrendPoint[] = [];
  let side: SpcPoint['beyond'];
  for (const [at, { value, beyond }] of history.entries()) {
    const point = { at, value };
    if (beyond === undefined) baseline.push(point);
    else streak = beyond === side ? [...streak, point] : [point];
    side = beyond;
    if (side !== undefined && streak.length === SHIFT_POINTS) {
      start = at - SHIFT_POINTS + 1;
      baseline = streak;
      side = undefined;
    }
  }
  return {
    values: history.slice(start).map(({ value }) => value),
    baseline: baseline.slice(-windowSize).map(({ at, value }) => ({ at: at - start, value })),
    endsBefore: (next) => side === next && streak.length === SHIFT_POINTS - 1,
  };
}
