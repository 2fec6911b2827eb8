import type { CheckStatus, ContractScope, QualityGate } from '../../../gql/graphql.js';
import type { StatusView } from '../../../ui/tone.js';

export const CHECK_STATUSES: Readonly<Record<CheckStatus, StatusView>> = {
  FAIL: { label: 'failed', tone: 'bad' },
  ERROR: { label: 'could not run', tone: 'bad' },
  WARN: { label: 'warning', tone: 'warn' },
  PASS: { label: 'passed', tone: 'good' },
  SKIPPED: { label: 'skipped', tone: 'neutral' },
};

/** Worst first. */
export const CHECK_SEVERITY = Object.keys(CHECK_STATUSES) as CheckStatus[];

export const GATE_EFFECTS: Readonly<Record<QualityGate, string>> = {
  GATE_1: 'prevents the loading of the rows',
  GATE_2: 'marks the table as degraded',
  GATE_3: 'is only a warning',
};

export const SCOPE_LABELS: Readonly<Record<ContractScope, string>> = {
  tap: 'Rows of each run',
  data: 'Whole table',
};
