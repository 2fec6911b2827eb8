import type { CheckStatus, SpcStatus } from '../../gql/graphql.js';

export type QualityView = 'checks' | 'charts';

interface StatusFilter<Status> {
  readonly key: string;
  readonly label: string;
  /** Undefined for all statuses. */
  readonly statuses?: readonly Status[];
}

/** The first filter is the default. */
export const CHECK_FILTERS: readonly StatusFilter<CheckStatus>[] = [
  { key: 'attention', label: 'Needs attention', statuses: ['FAIL', 'ERROR', 'WARN'] },
  { key: 'failed', label: 'Failed', statuses: ['FAIL', 'ERROR'] },
  { key: 'warning', label: 'Warning', statuses: ['WARN'] },
  { key: 'all', label: 'All' },
];

export const CHART_FILTERS: readonly StatusFilter<SpcStatus>[] = [
  { key: 'attention', label: 'Needs attention', statuses: ['OUT_OF_CONTROL', 'WARNING'] },
  { key: 'out', label: 'Out of control', statuses: ['OUT_OF_CONTROL'] },
  { key: 'warning', label: 'Warning', statuses: ['WARNING'] },
  { key: 'all', label: 'All' },
];
