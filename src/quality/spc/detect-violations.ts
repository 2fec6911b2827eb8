import type { SpcRule } from '../contracts/spc-rule.js';
import { lineAt } from './control-limits.js';
import { formatNumber } from './format-number.js';
import {
  alternatingRun,
  type FindPattern,
  PointsWithLimits,
  pointBetween,
  pointBeyond,
  runOnOneSide,
  runOutside,
  runWithin,
  someBeyond,
  trendRun,
} from './spc-patterns.js';
import type { SpcViolation } from './table-spc-result.js';

/** A pattern that ends with the last point. */
interface Found {
  readonly points: PointsWithLimits;
  readonly count: number;
}

/** A rule that holds points against the lines of a chart. */
export interface PatternRule {
  readonly ruleId: SpcRule;
  readonly isOnRequest: boolean;
  readonly find: FindPattern;
  readonly describe: (found: Found) => string;
}

/**
 * Beyond a line is `>`, within is `<=`; a point on the mean ends a run on one side, two equal points end a trend. Nelson's
 * counts; Western Electric's for WECO_4.
 */
export const PATTERN_RULES: readonly PatternRule[] = [
  { ruleId: 'NELSON_1', isOnRequest: false, find: pointBeyond(3), describe: describeBeyond(3, 'control limit') },
  { ruleId: 'NELSON_2', isOnRequest: false, find: runOnOneSide(9), describe: describeOneSide },
  { ruleId: 'NELSON_3', isOnRequest: false, find: trendRun(6), describe: describeTrend },
  { ruleId: 'NELSON_4', isOnRequest: true, find: alternatingRun(14), describe: describeAlternation },
  { ruleId: 'NELSON_5', isOnRequest: false, find: someBeyond(2, 3, 2), describe: describeSome(3, 2) },
  { ruleId: 'NELSON_6', isOnRequest: false, find: someBeyond(4, 5, 1), describe: describeSome(5, 1) },
  { ruleId: 'NELSON_7', isOnRequest: true, find: runWithin(15, 1), describe: describeWithin },
  { ruleId: 'NELSON_8', isOnRequest: true, find: runOutside(8, 1), describe: describeOutside },
  { ruleId: 'WECO_4', isOnRequest: true, find: runOnOneSide(8), describe: describeOneSide },
  {
    ruleId: 'WARNING_2_SIGMA',
    isOnRequest: false,
    find: pointBetween(2, 3),
    describe: describeBeyond(2, 'warning limit'),
  },
];

/** Positions of the points that a pattern ends with. */
export function findHits(find: FindPattern, points: PointsWithLimits): number[] {
  return [...points.values.keys()].filter((at) => find(points, at) > 0);
}

/** What the rules notice that ends with the last point; those on request as far as they are asked for. */
export function detectViolations(points: PointsWithLimits, requested: readonly SpcRule[]): SpcViolation[] {
  return PATTERN_RULES.filter(({ ruleId, isOnRequest }) => !isOnRequest || requested.includes(ruleId)).flatMap(
    ({ ruleId, find, describe }) => {
      const count = find(points, points.values.length - 1);
      return count === 0 ? [] : [{ ruleId, description: describe({ points, count }), pointsInvolved: count }];
    },
  );
}

function describeBeyond(sigmas: number, limit: string): (found: Found) => string {
  return ({ points }) => {
    const { word, line } = lastSide(points, sigmas);
    const value = formatNumber(lastOf(points));
    return `The value ${value} lies ${word} the ${sigmas}-sigma ${limit} of ${formatNumber(line)}; the mean is ${formatNumber(points.centre)}.`;
  };
}

function describeOneSide({ points, count }: Found): string {
  const { word } = lastSide(points, 0);
  return `The last ${count} values all lie ${word} the mean of ${formatNumber(points.centre)}: the level may have shifted.`;
}

function describeTrend({ points, count }: Found): string {
  const last = points.values.length - 1;
  const direction = points.stepOf(last) > 0 ? 'risen' : 'fallen';
  const first = formatNumber(points.valueOf(last - count + 1));
  return `The value has ${direction} from ${first} to ${formatNumber(lastOf(points))} over the last ${count} runs, each time: there is a trend.`;
}

function describeAlternation({ count }: Found): string {
  return `The last ${count} values go up and down in turn: the runs may take turns between two sources or times of day.`;
}

function describeSome(among: number, sigmas: number): (found: Found) => string {
  return ({ points, count }) => {
    const { word, line } = lastSide(points, sigmas);
    const distance = `${sigmas} sigma ${word} the mean`;
    return `${count} of the last ${among} values lie ${word} ${formatNumber(line)}, more than ${distance} of ${formatNumber(points.centre)}: the level may be shifting.`;
  };
}

function describeWithin({ points, count }: Found): string {
  const [low, high] = [-1, 1].map((sigmas) => formatNumber(lineAt(points.centre, points.sigma, sigmas)));
  return `The last ${count} values all lie within 1 sigma of the mean, ${low} to ${high}: they vary less than they did.`;
}

function describeOutside({ points, count }: Found): string {
  const [low, high] = [-1, 1].map((sigmas) => formatNumber(lineAt(points.centre, points.sigma, sigmas)));
  return `None of the last ${count} values lies between ${low} and ${high}, within 1 sigma of the mean: two levels may be mixed.`;
}

function lastOf(points: PointsWithLimits): number {
  return points.valueOf(points.values.length - 1);
}

/** The line so many sigmas away, on the side where the last point lies. */
function lastSide(points: PointsWithLimits, sigmas: number): { word: 'above' | 'below'; line: number } {
  const side = points.sideOf(points.values.length - 1, sigmas);
  return { word: side > 0 ? 'above' : 'below', line: lineAt(points.centre, points.sigma, side * sigmas) };
}
