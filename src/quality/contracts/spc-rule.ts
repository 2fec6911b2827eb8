import { wireEnum } from '../../kernel/entities/wire-enum.js';

/** Nelson, The Shewhart Control Chart: Tests for Special Causes, 1984; Western Electric, Statistical Quality Control Handbook, 1956. */
export const SpcRule = wireEnum('SpcRule', 'What is noticed about the latest points of a series.', {
  NELSON_1: 'The latest point lies beyond 3 sigma.',
  NELSON_2: '9 points in a row lie on one side of the mean.',
  NELSON_3: '6 points in a row rise or fall steadily.',
  NELSON_4: '14 points in a row alternate. On request.',
  NELSON_5: '2 of 3 points lie beyond 2 sigma on the same side, the latest among them.',
  NELSON_6: '4 of 5 points lie beyond 1 sigma on the same side, the latest among them.',
  NELSON_7: '15 points in a row lie within 1 sigma. On request.',
  NELSON_8: '8 points in a row lie outside 1 sigma, on both sides. On request.',
  WECO_4: '8 points in a row lie on one side of the mean. On request.',
  WARNING_2_SIGMA: 'The latest point lies beyond 2 sigma, within 3.',
  ZERO_VARIANCE_CHANGE: 'The latest point differs where all before it were the same.',
});
export type SpcRule = keyof typeof SpcRule;

export const SpcStatus = wireEnum('SpcStatus', 'How a series is.', {
  INSUFFICIENT_HISTORY: 'Too few points to tell.',
  IN_BOUNDS: 'As it has been.',
  WARNING: 'Unlikely, if it is as it has been.',
  OUT_OF_CONTROL: 'Beyond what it has been.',
});
export type SpcStatus = keyof typeof SpcStatus;

/** The worst first. */
const SPC_STATUSES_BY_SEVERITY: readonly SpcStatus[] = [
  'OUT_OF_CONTROL',
  'WARNING',
  'IN_BOUNDS',
  'INSUFFICIENT_HISTORY',
];

/** The worst of all; of none, INSUFFICIENT_HISTORY. */
export function worstSpcStatus(statuses: readonly SpcStatus[]): SpcStatus {
  return SPC_STATUSES_BY_SEVERITY.find((status) => statuses.includes(status)) ?? 'INSUFFICIENT_HISTORY';
}

export const SigmaMethod = wireEnum('SigmaMethod', 'What the limits of a control chart are computed from.', {
  sample_stddev: 'The standard deviation of the points, divided by n - 1.',
  moving_range:
    'The mean difference of neighbours, divided by 1.128: less moved by outliers and shifts in the history.',
});
export type SigmaMethod = keyof typeof SigmaMethod;
