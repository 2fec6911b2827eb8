import type { SpcRule } from '../contracts/spc-rule.js';
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

/** The pattern has `count` points, and ends with the last point. */
interface PatternMatch {
  readonly points: PointsWithLimits;
  readonly count: number;
}

export interface PatternRule {
  readonly ruleId: SpcRule;
  readonly isOptional: boolean;
  readonly find: FindPattern;
  readonly describe: (match: PatternMatch) => string;
}

/**
 * A point on a line is within the line, not beyond it. A point on the mean ends a sequence of points on one side. Two
 * equal points end a trend. Each rule requires as many points as Nelson specifies. `WECO_4` follows Western Electric
 * instead.
 */
export const PATTERN_RULES: readonly PatternRule[] = [
  { ruleId: 'NELSON_1', isOptional: false, find: pointBeyond(3), describe: describeBeyond(3, 'control limit') },
  { ruleId: 'NELSON_2', isOptional: false, find: runOnOneSide(9), describe: describeOneSide },
  { ruleId: 'NELSON_3', isOptional: false, find: trendRun(6), describe: describeTrend },
  { ruleId: 'NELSON_4', isOptional: true, find: alternatingRun(14), describe: describeAlternation },
  { ruleId: 'NELSON_5', isOptional: false, find: someBeyond(2, 3, 2), describe: describeSome(3, 2) },
  { ruleId: 'NELSON_6', isOptional: false, find: someBeyond(4, 5, 1), describe: describeSome(5, 1) },
  { ruleId: 'NELSON_7', isOptional: true, find: runWithin(15, 1), describe: describeWithin },
  { ruleId: 'NELSON_8', isOptional: true, find: runOutside(8, 1), describe: describeOutside },
  { ruleId: 'WECO_4', isOptional: true, find: runOnOneSide(8), describe: describeOneSide },
  {
    ruleId: 'WARNING_2_SIGMA',
    isOptional: false,
    find: pointBetween(2, 3),
    describe: describeBeyond(2, 'warning limit'),
  },
];

export function findHits(find: FindPattern, points: PointsWithLimits): number[] {
  return [...points.values.keys()].filter((at) => find(points, at) > 0);
}

/** Returns the violations that end with the last point. `enabled` contains the optional rules to apply. */
export function detectViolations(points: PointsWithLimits, enabled: readonly SpcRule[]): SpcViolation[] {
  return PATTERN_RULES.filter(({ ruleId, isOptional }) => !isOptional || enabled.includes(ruleId)).flatMap(
    ({ ruleId, find, describe }) => {
      const count = find(points, points.values.length - 1);
      return count === 0 ? [] : [{ ruleId, description: describe({ points, count }), pointsInvolved: count }];
    },
  );
}

function describeBeyond(sigmas: number, limit: string): (match: PatternMatch) => string {
  return ({ points }) => {
    const { word, line } = lastSide(points, sigmas);
    const value = formatNumber(lastOf(points));
    return `The value ${value} is ${word} the ${sigmas}-sigma ${limit} of ${formatNumber(line)}. The mean is ${formatNumber(points.centre)}.`;
  };
}

function describeOneSide({ points, count }: PatternMatch): string {
  const { word } = lastSide(points, 0);
  return `The last ${count} values are all ${word} the mean of ${formatNumber(points.centre)}: the level may have shifted.`;
}

function describeTrend({ points, count }: PatternMatch): string {
  const last = points.values.length - 1;
  const direction = points.stepOf(last) > 0 ? 'risen' : 'fallen';
  const first = formatNumber(points.valueOf(last - count + 1));
  return `The value has ${direction} steadily over the last ${count} runs, from ${first} to ${formatNumber(lastOf(points))}: this is a trend.`;
}

function describeAlternation({ count }: PatternMatch): string {
  return `The last ${count} values alternate up and down: the runs may alternate between two sources or times of day.`;
}

function describeSome(among: number, sigmas: number): (match: PatternMatch) => string {
  return ({ points, count }) => {
    const { word, line } = lastSide(points, sigmas);
    const last = Math.min(among, points.values.length);
    return `${count} of the last ${last} values are ${word} the mean of ${formatNumber(points.centre)} by more than ${sigmas} sigma: the level may be shifting. The ${sigmas}-sigma line ${word} the mean is now at ${formatNumber(line)}.`;
  };
}

function describeWithin({ points, count }: PatternMatch): string {
  const [low, high] = lastLines(points);
  return `The last ${count} values are all within 1 sigma of the mean: they vary less than before. The range within 1 sigma is now ${low} to ${high}.`;
}

function describeOutside({ points, count }: PatternMatch): string {
  const [low, high] = lastLines(points);
  return `None of the last ${count} values is within 1 sigma of the mean: two levels may be mixed. The range within 1 sigma is now ${low} to ${high}.`;
}

function lastLines(points: PointsWithLimits): string[] {
  return [-1, 1].map((sigmas) => formatNumber(points.lineOf(points.values.length - 1, sigmas)));
}

function lastOf(points: PointsWithLimits): number {
  return points.valueOf(points.values.length - 1);
}

/** Returns the line at `sigmas` standard deviations from the centre, on the side of the last point. */
function lastSide(points: PointsWithLimits, sigmas: number): { word: 'above' | 'below'; line: number } {
  const last = points.values.length - 1;
  const side = points.sideOf(last, sigmas);
  return { word: side > 0 ? 'above' : 'below', line: points.lineOf(last, side * sigmas) };
}
