import type { SpcRule } from '../contracts/spc-rule.js';
import type { ChartPoint } from './control-chart.js';

/** Identifies a rule by shape and label, because colour alone is not accessible. */
interface RuleMark {
  readonly label: string;
  readonly meaning: string;
  readonly corners: string;
}

/**
 * Returns the corners around the origin, starting at the top. If `inner` is set, every second corner has this radius,
 * so that the shape is a star.
 */
function polygonCorners(count: number, { turn = 0, inner = 7 }: { turn?: number; inner?: number } = {}): string {
  return Array.from({ length: count }, (_, index) => {
    const angle = 2 * Math.PI * (index / count + turn);
    const radius = index % 2 === 0 ? 7 : inner;
    return `${(radius * Math.sin(angle)).toFixed(1)},${(-radius * Math.cos(angle)).toFixed(1)}`;
  }).join(' ');
}

const DIAMOND = polygonCorners(4);
const SQUARE = polygonCorners(4, { turn: 1 / 8 });
const TRIANGLE = polygonCorners(3);
const TRIANGLE_DOWN = polygonCorners(3, { turn: 1 / 2 });
const TRIANGLE_ASIDE = polygonCorners(3, { turn: 1 / 4 });
const PENTAGON = polygonCorners(5);
const PENTAGON_DOWN = polygonCorners(5, { turn: 1 / 2 });
const HEXAGON = polygonCorners(6);
const STAR_OF_FOUR = polygonCorners(8, { inner: 3 });
const STAR_OF_SIX = polygonCorners(12, { inner: 3.5 });
const OCTAGON = polygonCorners(8);

/** The worst rule comes first. A point has the shape of the first rule that it violates. */
const RULE_MARKS: Readonly<Record<SpcRule, RuleMark>> = {
  NELSON_1: { label: 'N1', meaning: 'beyond 3 sigma', corners: DIAMOND },
  ZERO_VARIANCE_CHANGE: { label: 'ZV', meaning: 'change after equal values', corners: STAR_OF_FOUR },
  NELSON_5: { label: 'N5', meaning: '2 of 3 beyond 2 sigma', corners: PENTAGON },
  NELSON_6: { label: 'N6', meaning: '4 of 5 beyond 1 sigma', corners: HEXAGON },
  NELSON_2: { label: 'N2', meaning: '9 in a row on one side', corners: SQUARE },
  WECO_4: { label: 'W4', meaning: '8 in a row on one side', corners: PENTAGON_DOWN },
  NELSON_3: { label: 'N3', meaning: '6 in a row rise or fall', corners: TRIANGLE },
  NELSON_4: { label: 'N4', meaning: '14 in a row alternate', corners: TRIANGLE_DOWN },
  NELSON_8: { label: 'N8', meaning: '8 in a row outside 1 sigma', corners: STAR_OF_SIX },
  NELSON_7: { label: 'N7', meaning: '15 in a row within 1 sigma', corners: TRIANGLE_ASIDE },
  WARNING_2_SIGMA: { label: '2σ', meaning: 'between 2 and 3 sigma', corners: OCTAGON },
};

const RULES_BY_SEVERITY = Object.keys(RULE_MARKS) as SpcRule[];

/** Worst first. */
export function violatedRules(points: readonly Pick<ChartPoint, 'violations'>[]): SpcRule[] {
  return RULES_BY_SEVERITY.filter((rule) => points.some(({ violations }) => violations.includes(rule)));
}

export function ruleMarkOf(rule: SpcRule): RuleMark {
  return RULE_MARKS[rule];
}

/** Returns a text such as `N1 N5`, or an empty string for a point without violations. */
export function formatRuleLabels(point: ChartPoint): string {
  return violatedRules([point])
    .map((rule) => ruleMarkOf(rule).label)
    .join(' ');
}

export function drawMark(point: Pick<ChartPoint, 'status' | 'violations'>): string {
  const [worst] = violatedRules([point]);
  if (worst !== undefined)
    return `<polygon class="${point.status === 'OUT_OF_CONTROL' ? 'control' : 'warning'}" points="${ruleMarkOf(worst).corners}"/>`;
  return `<circle class="${point.status === 'INSUFFICIENT_HISTORY' ? 'dot undetermined' : 'dot'}" r="3"/>`;
}
