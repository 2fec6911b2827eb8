import type { TrendPoint } from './trend-slope.js';

export interface SpcPoint {
  readonly value: number;
  /** Where it was OUT_OF_CONTROL: on which side of the limits. */
  readonly beyond?: 'above' | 'below' | undefined;
}

/** So many points in a row beyond the same limit are a new level, no outliers. */
const SHIFT_POINTS = 3;

/** The level that a series is on. */
export interface ProcessLevel {
  /** All points since it began, the oldest first; those beyond the limits are among them. */
  readonly values: readonly number[];
  /** Those that the limits are computed from; `at` counts `values`. */
  readonly baseline: readonly TrendPoint[];
  /** Whether a point beyond the limits on that side would be the third in a row. */
  readonly endsBefore: (side: 'above' | 'below') => boolean;
}

/**
 * Points to hand over as history, for results that do not depend on how far back it is read: the baseline is made of
 * the last `windowSize` that were within their limits, and the longest pattern has 15.
 */
export function requiredHistoryLength(windowSize: number): number {
  return 2 * windowSize + 15;
}

/** Follows a history from its oldest point on: three in a row beyond the same limit begin a new level, and are part of it. */
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
