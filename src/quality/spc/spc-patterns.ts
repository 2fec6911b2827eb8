import { lineAt } from './control-limits.js';

/** 1 above the line, -1 below it, 0 on it. */
type Side = -1 | 0 | 1;

export class PointsWithLimits {
  /** `sigma` applies to all points, or contains a number for each point. */
  constructor(
    readonly values: readonly number[],
    readonly centre: number,
    private readonly sigma: number | readonly number[],
  ) {}

  /** If `sigmas` is negative, the line is below the centre. */
  lineOf(at: number, sigmas: number): number {
    return lineAt(this.centre, typeof this.sigma === 'number' ? this.sigma : (this.sigma[at] ?? 0), sigmas);
  }

  /** Returns 0 if the point is between the lines at `sigmas` and `-sigmas`, or on one of them. */
  sideOf(at: number, sigmas: number): Side {
    const value = this.valueOf(at);
    if (value > this.lineOf(at, sigmas)) return 1;
    return value < this.lineOf(at, -sigmas) ? -1 : 0;
  }

  /** Returns 0 if the point equals the previous point, and for the first point. */
  stepOf(at: number): Side {
    if (at === 0) return 0;
    const value = this.valueOf(at);
    const before = this.valueOf(at - 1);
    if (value === before) return 0;
    return value > before ? 1 : -1;
  }

  valueOf(at: number): number {
    return this.values[at] ?? this.centre;
  }
}

/** Returns the length of the pattern that ends at `at`, or 0 if none ends there. */
export type FindPattern = (points: PointsWithLimits, at: number) => number;

export function pointBeyond(sigmas: number): FindPattern {
  return (points, at) => (points.sideOf(at, sigmas) === 0 ? 0 : 1);
}

export function pointBetween(inner: number, outer: number): FindPattern {
  return (points, at) => (points.sideOf(at, inner) !== 0 && points.sideOf(at, outer) === 0 ? 1 : 0);
}

export function runOnOneSide(least: number): FindPattern {
  return (points, at) => {
    const side = points.sideOf(at, 0);
    return side === 0
      ? 0
      : runOf(
          least,
          countBack(at, (index) => points.sideOf(index, 0) === side),
        );
  };
}

export function trendRun(least: number): FindPattern {
  return (points, at) => {
    const step = points.stepOf(at);
    return step === 0 ? 0 : runOf(least, 1 + countBack(at, (index) => points.stepOf(index) === step));
  };
}

export function alternatingRun(least: number): FindPattern {
  return (points, at) => {
    const turns = countBack(at, (index) => points.stepOf(index) * points.stepOf(index - 1) === -1);
    return runOf(least, turns + 2);
  };
}

/**
 * Matches if at least `least` of the last `among` points, including the last, are beyond the line on the same side.
 * Also matches if a series has only `least` points and all of them are beyond the line, because further points could
 * not change the result. Rspc and MATLAB do the same; qcc waits for `among` points.
 */
export function someBeyond(least: number, among: number, sigmas: number): FindPattern {
  return (points, at) => {
    const side = points.sideOf(at, sigmas);
    if (side === 0) return 0;
    return runOf(least, lastOf(among, at).filter((index) => points.sideOf(index, sigmas) === side).length);
  };
}

export function runWithin(least: number, sigmas: number): FindPattern {
  return (points, at) =>
    runOf(
      least,
      countBack(at, (index) => points.sideOf(index, sigmas) === 0),
    );
}

/** Matches if the last `least` points are all beyond the lines, with points on both sides. */
export function runOutside(least: number, sigmas: number): FindPattern {
  return (points, at) => {
    if (points.sideOf(at, sigmas) === 0) return 0;
    const sides = new Set(lastOf(least, at).map((index) => points.sideOf(index, sigmas)));
    if (!sides.has(1) || !sides.has(-1)) return 0;
    return runOf(
      least,
      countBack(at, (index) => points.sideOf(index, sigmas) !== 0),
    );
  };
}

function runOf(least: number, count: number): number {
  return count >= least ? count : 0;
}

function countBack(at: number, holds: (index: number) => boolean): number {
  let count = 0;
  while (count <= at && holds(at - count)) count++;
  return count;
}

function lastOf(count: number, at: number): number[] {
  const from = Math.max(0, at - count + 1);
  return Array.from({ length: at - from + 1 }, (_, index) => from + index);
}
