import type { SyncJobStatus } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import type { StatusView } from '../../ui/tone.js';

export const SYNC_STATUSES: Readonly<Record<SyncJobStatus, StatusView>> = {
  pending: { label: 'Pending', tone: 'info' },
  queued: { label: 'Queued', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  partial_success: { label: 'Partly', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};

export function SyncStatusBadge({ status }: { status: SyncJobStatus }) {
  const { label, tone } = SYNC_STATUSES[status];
  return <Badge tone={tone}>{label}</Badge>;
}
