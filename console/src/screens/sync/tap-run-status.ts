import type { TapRunStatus } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

export const TAP_RUN_STATUSES: Readonly<Record<TapRunStatus, StatusView>> = {
  pending: { label: 'pending', tone: 'info' },
  running: { label: 'running', tone: 'info' },
  waiting: { label: 'waiting', tone: 'info' },
  succeeded: { label: 'succeeded', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  skipped: { label: 'skipped', tone: 'neutral' },
  cancelled: { label: 'cancelled', tone: 'neutral' },
};
