import type { SeriesValue } from './series-value.js';

export interface SpcPoint extends SeriesValue {
  /** Set for an OUT_OF_CONTROL point. */
  readonly beyond?: 'above' | 'below' | undefined;
}

/** Number of consecutive points beyond the same limit that count as a new level instead of outliers. */
const SHIFT_POINTS = 3;

interface BaselinePoint extends SeriesValue {
  /** Index within the points of the level. */
  readonly at: number;
}

export interface ProcessLevel {
  /** Oldest first, including outliers. */
  readonly points: readonly SeriesValue[];
  /** The limits follow from these points. */
  readonly baseline: readonly BaselinePoint[];
  /** Returns whether one more point beyond the limit on that side would start a new level. */
  readonly endsBefore: (side: 'above' | 'below') => boolean;
}

/**
 * The baseline omits points beyond their limits, so the history has room for twice `windowSize` points. The longest
 * pattern requires 15 further points.
 */
export function requiredHistoryLength(windowSize: number): number {
  return 2 * windowSize + 15;
}

/**
 * `history` starts with the oldest point. `SHIFT_POINTS` consecutive points beyond the same limit start a new level and
 * belong to it.
 */
export function findProcessLevel(history: readonly SpcPoint[], windowSize: number): ProcessLevel {
  let start = 0;
  let baseline: BaselinePoint[] = [];
  let streak: BaselinePoint[] = [];
  let side: SpcPoint['beyond'];
  for (const [at, { value, sampleSize, beyond }] of history.entries()) {
    const point = { at, value, sampleSize };
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
    points: history.slice(start),
    baseline: baseline.slice(-windowSize).map(({ at, ...value }) => ({ at: at - start, ...value })),
    endsBefore: (next) => side === next && streak.length === SHIFT_POINTS - 1,
  };
}
