import type { TenantConnectorStatus } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

interface ConnectionStatusView extends StatusView {
  /** Undefined if the user need not act. */
  readonly action?: 'repair' | 'resume' | 'enable' | 'inspect';
}

export const CONNECTION_STATUSES: Readonly<Record<TenantConnectorStatus, ConnectionStatusView>> = {
  idle: { label: 'Working', tone: 'good' },
  initial_syncing: { label: 'First sync', tone: 'info' },
  update_syncing: { label: 'Syncing', tone: 'info' },
  sync_queued: { label: 'Sync queued', tone: 'info' },
  validation_pending: { label: 'Testing credentials', tone: 'info' },
  schedule_paused: { label: 'Paused', tone: 'neutral', action: 'resume' },
  disabled: { label: 'Disabled', tone: 'neutral', action: 'enable' },
  credential_error: { label: 'Credentials rejected', tone: 'bad', action: 'repair' },
  config_invalid: { label: 'Configuration invalid', tone: 'bad', action: 'repair' },
  manual_validation_required: { label: 'Credentials needed', tone: 'warn', action: 'repair' },
  sync_failed: { label: 'Sync failed', tone: 'bad', action: 'inspect' },
  sync_partial_success: { label: 'Partly synced', tone: 'warn', action: 'inspect' },
  ingestion_stale: { label: 'Data is stale', tone: 'warn', action: 'inspect' },
  transform_quality_degraded: { label: 'Quality degraded', tone: 'warn', action: 'inspect' },
  internal_error: { label: 'Internal error', tone: 'bad', action: 'inspect' },
};

export const ATTENTION_STATUSES = (Object.keys(CONNECTION_STATUSES) as TenantConnectorStatus[]).filter(
  (status) => CONNECTION_STATUSES[status].action,
);

export const STATUS_GROUPS = {
  attention: { label: 'Needs attention', statuses: ATTENTION_STATUSES },
  working: { label: 'Working', statuses: ['idle', 'update_syncing', 'initial_syncing', 'sync_queued'] },
  paused: { label: 'Paused or disabled', statuses: ['schedule_paused', 'disabled'] },
} as const satisfies Record<string, { label: string; statuses: readonly TenantConnectorStatus[] }>;

export type StatusGroup = keyof typeof STATUS_GROUPS;
