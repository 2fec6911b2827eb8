import type { TenantConnectorStatus } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import { CONNECTION_STATUSES } from './connection-status.js';

export function StatusBadge({ status }: { status: TenantConnectorStatus }) {
  const { tone, label } = CONNECTION_STATUSES[status];
  return <Badge tone={tone}>{label}</Badge>;
}
