import { statusListSql } from '../kernel/entities/status-list-sql.js';
import { deferPrepared } from '../kernel/execute-prepared.js';
import { decodeId } from '../kernel/ids.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { CONCLUSIVE_STATUSES, SUCCEEDED_STATUSES, type SyncJobStatus } from './sync-job-status.js';
import { isoTimeSql } from './sync-state.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';

/** Also returns true after a partial success. */
export async function hasSucceeded(tx: WorkspaceTransaction, instanceId: string): Promise<boolean> {
  const rows = await tx.read.rows(SELECT_SUCCEEDED, [tx.caller.tenantId, instanceId].map(decodeId));
  return rows.length > 0;
}

/**
 * The caller must have locked the connection and flushed the changed job. Uses one statement, because each sync calls
 * this function several times.
 */
export async function saveSyncState(
  tx: WorkspaceTransaction,
  { id }: Pick<TenantConnectorInstance, 'id'>,
): Promise<void> {
  const { tenantId, userId } = tx.caller;
  await deferPrepared(tx.em, SAVE, [tenantId, id, userId].map(decodeId));
}

const ofInstance = 'from sync_job j where j.tenant_id = $1 and j.instance_id = $2';

const isOneOf = (statuses: readonly SyncJobStatus[]): string => `j.status in (${statusListSql(statuses)})`;

const SELECT_SUCCEEDED = `select 1 ${ofInstance} and ${isOneOf(SUCCEEDED_STATUSES)} limit 1`;

const latestOf = (statuses: readonly SyncJobStatus[], by: 'finished_at' | 'updated_at'): string =>
  `${ofInstance} and ${isOneOf(statuses)} order by j.${by} desc, j.created_at desc limit 1`;

/**
 * Does not update an unchanged connection, because the update would notify subscribers. $1 tenant, $2 connection, $3
 * author.
 */
const SAVE = `
update tenant_connector_instance i
set sync = s.sync, last_sync_status = s.status, last_sync_at = s.finished_at, updated_at = now(), updated_by = $3
from (
  select
    jsonb_strip_nulls(jsonb_build_object(
      'running', (
        select jsonb_build_object('isInitial', j.is_initial, 'reportedAt', ${isoTimeSql('j.updated_at')})
        ${latestOf(['running'], 'updated_at')}
      ),
      'isQueued', exists (select ${ofInstance} and ${isOneOf(['pending', 'queued'])}),
      'finished', f.summary,
      'succeededAt', (select ${isoTimeSql('j.finished_at')} ${latestOf(SUCCEEDED_STATUSES, 'finished_at')})
    )) as sync,
    coalesce((select j.status ${ofInstance} order by j.created_at desc limit 1), c.last_sync_status) as status,
    coalesce(f.finished_at, c.last_sync_at) as finished_at
  from tenant_connector_instance c
  left join lateral (
    select j.finished_at, jsonb_build_object(
      'status', j.status, 'errorCode', j.error_code, 'qualityDegraded', j.quality_degraded
    ) as summary
    ${latestOf(CONCLUSIVE_STATUSES, 'finished_at')}
  ) f on true
  where c.tenant_id = $1 and c.id = $2
) s
where i.tenant_id = $1 and i.id = $2
  and (i.sync, i.last_sync_status, i.last_sync_at) is distinct from (s.sync, s.status, s.finished_at)`;
