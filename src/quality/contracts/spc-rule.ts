import { wireEnum } from '../../kernel/entities/wire-enum.js';

/**
 * From Nelson, The Shewhart Control Chart: Tests for Special Causes, 1984, and Western Electric, Statistical Quality
 * Control Handbook, 1956.
 */
export const SpcRule = wireEnum('SpcRule', 'Rule for patterns in the latest points of a series.', {
  NELSON_1: 'The latest point is beyond 3 sigma.',
  NELSON_2: '9 consecutive points are on one side of the mean.',
  NELSON_3: '6 consecutive points rise or fall steadily.',
  NELSON_4: '14 consecutive points alternate up and down. Applies only if `extraSpcRules` enables it.',
  NELSON_5: '2 of 3 points, including the latest, are beyond 2 sigma on the same side.',
  NELSON_6: '4 of 5 points, including the latest, are beyond 1 sigma on the same side.',
  NELSON_7: '15 consecutive points are within 1 sigma. Applies only if `extraSpcRules` enables it.',
  NELSON_8:
    '8 consecutive points are outside 1 sigma, some above and some below the mean. Applies only if `extraSpcRules` enables it.',
  WECO_4: '8 consecutive points are on one side of the mean. Applies only if `extraSpcRules` enables it.',
  WARNING_2_SIGMA: 'The latest point is beyond 2 sigma but within 3 sigma.',
  ZERO_VARIANCE_CHANGE: 'The latest point differs from earlier points that were all equal.',
});
export type SpcRule = keyof typeof SpcRule;

export const SpcStatus = wireEnum('SpcStatus', 'Status of a series.', {
  INSUFFICIENT_HISTORY: 'The chart has fewer than `minHistoryForViolation` earlier points to compare.',
  IN_BOUNDS: 'No rule is violated.',
  WARNING: 'A rule is violated, but the series is not OUT_OF_CONTROL.',
  OUT_OF_CONTROL: 'The latest point is beyond 3 sigma, or a constant series has dropped to 0.',
});
export type SpcStatus = keyof typeof SpcStatus;

/** Worst first. */
const SPC_STATUSES_BY_SEVERITY: readonly SpcStatus[] = [
  'OUT_OF_CONTROL',
  'WARNING',
  'IN_BOUNDS',
  'INSUFFICIENT_HISTORY',
];

/** Returns INSUFFICIENT_HISTORY for an empty list. */
export function worstSpcStatus(statuses: readonly SpcStatus[]): SpcStatus {
  return SPC_STATUSES_BY_SEVERITY.find((status) => statuses.includes(status)) ?? 'INSUFFICIENT_HISTORY';
}

export const SpcChartType = wireEnum('SpcChartType', 'How the control limits of a series are computed.', {
  INDIVIDUALS: 'From the variation of the values. The limits do not depend on the number of rows.',
  P: 'From the binomial distribution, for shares of rows. The limits are wider for fewer rows.',
  P_PRIME:
    'From the binomial distribution and the variation of the values, for shares of rows that vary more or less than the distribution predicts (p′ chart of Laney).',
});
export type SpcChartType = keyof typeof SpcChartType;

export const SpcBaseline = wireEnum(
  'SpcBaseline',
  'Earlier points that a control chart compares with each point of a series.',
  {
    recent: 'The most recent earlier points, of any weekday.',
    weekday: 'The most recent earlier points of the same weekday (UTC).',
  },
);
export type SpcBaseline = keyof typeof SpcBaseline;

export const SigmaMethod = wireEnum('SigmaMethod', 'Method to estimate the standard deviation for control limits.', {
  sample_stddev: 'Sample standard deviation of the points (divisor n - 1).',
  moving_range:
    'Mean absolute difference between consecutive points, divided by 1.128. Less sensitive than `sample_stddev` to outliers and to shifts of the level.',
});
export type SigmaMethod = keyof typeof SigmaMethod;
