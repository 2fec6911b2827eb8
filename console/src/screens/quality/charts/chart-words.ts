import type { SpcChartType, SpcRule, SpcSeriesKind, SpcStatus } from '../../../gql/graphql.js';
import type { StatusView } from '../../../ui/tone.js';

export const SPC_STATUSES: Readonly<Record<SpcStatus, StatusView>> = {
  OUT_OF_CONTROL: { label: 'out of control', tone: 'bad' },
  WARNING: { label: 'warning', tone: 'warn' },
  IN_BOUNDS: { label: 'in bounds', tone: 'good' },
  INSUFFICIENT_HISTORY: { label: 'collecting history', tone: 'neutral' },
};

/** Worst first. */
export const SPC_SEVERITY = Object.keys(SPC_STATUSES) as SpcStatus[];

export const SERIES_TITLES: Readonly<Record<SpcSeriesKind, string>> = {
  TABLE_ROW_COUNT: 'Rows',
  TABLE_BYTES: 'Size',
  TABLE_FRESHNESS_SECONDS: 'Age of the newest record',
  COLUMN_NULL_RATE: 'Share of nulls',
  COLUMN_DISTINCT_COUNT: 'Distinct values',
  COLUMN_MEAN: 'Mean',
};

export const RULE_MARKS: Readonly<Record<SpcRule, string>> = {
  NELSON_1: 'N1',
  ZERO_VARIANCE_CHANGE: 'ZV',
  NELSON_5: 'N5',
  NELSON_6: 'N6',
  NELSON_2: 'N2',
  WECO_4: 'W4',
  NELSON_3: 'N3',
  NELSON_4: 'N4',
  NELSON_8: 'N8',
  NELSON_7: 'N7',
  WARNING_2_SIGMA: '2σ',
};

export const LIMIT_KINDS: Readonly<Record<SpcChartType, string>> = {
  INDIVIDUALS: 'Limits from the variation of the values (individuals chart)',
  P: 'Limits depend on the number of rows (p chart)',
  P_PRIME: 'Limits depend on the number of rows and on the variation of the shares (p′ chart)',
};
