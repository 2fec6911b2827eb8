import { LockMode } from '@mikro-orm/core';
import { CatalogRevision } from '../../catalog/catalog-revision.js';
import { SyncJob } from '../../instances/sync-job.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import { readJoined } from '../../kernel/reading/read-joined.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TableServices } from '../../tables/table-context.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun, OPEN_RUN_STATUSES } from '../tap-run-status.js';

export interface ConnectionJob {
  readonly jobId: string;
  readonly instanceId: string;
}

/**
 * Locks the connection first, as the deletion of a tap and the storage of quality results do, because another order
 * could deadlock.
 */
export function writeWithLockedConnection(
  { em, tables }: Pick<TableServices, 'em' | 'tables'>,
  { tenantId, jobId }: { readonly tenantId: string; readonly jobId: string },
  requestId: string,
  work: (tx: WorkspaceTransaction) => Promise<void>,
): Promise<void> {
  return writeAsCaller(em, tables, systemCaller(tenantId), requestId, async (tx) => {
    await deferPrepared(tx.em, LOCK_CONNECTION, [tenantId, jobId].map(decodeId));
    await work(tx);
  });
}

const LOCK_CONNECTION = `
select 1 from sync_job j join tenant_connector_instance i on i.tenant_id = j.tenant_id and i.id = j.instance_id
where j.tenant_id = $1 and j.id = $2 for update of i`;

const FROM_RUN = `
tap_run r
join sync_job j on j.tenant_id = r.tenant_id and j.id = r.job_id
join tenant_connector_instance i on i.tenant_id = j.tenant_id and i.id = j.instance_id`;

const LOCK_RUN = `
select 1 from ${FROM_RUN}
where r.tenant_id = $1 and r.id = $2 and r.status in (${statusListSql(OPEN_RUN_STATUSES)}) for update of i, r`;

const FROM_LOCKED_RUN = `
${FROM_RUN}
left join tenant_connector_tap t on t.tenant_id = r.tenant_id and t.id = r.tap_id
left join catalog_revision c on true
where r.tenant_id = $1 and r.id = $2`;

const ROWS_OF_RUN = { r: TapRun, j: SyncJob, i: TenantConnectorInstance, t: TenantConnectorTap, c: CatalogRevision };

/** Locks the connection, then the tap run, until the transaction ends. Returns undefined if the tap run has ended. */
export async function lockRunWithConnection(
  { em, read, caller }: WorkspaceTransaction,
  runId: string,
): Promise<(ConnectionJob & { readonly revision: Lean<CatalogRevision> | undefined }) | undefined> {
  const ids = [caller.tenantId, runId].map(decodeId);
  // A separate statement, so that the next statement reads all changes that were committed before the lock.
  await deferPrepared(em, LOCK_RUN, ids);
  const rows = await readJoined(read, ROWS_OF_RUN, FROM_LOCKED_RUN, ids);
  return rows?.r && rows.j && isOpenRun(rows.r.status)
    ? { jobId: rows.r.job, instanceId: rows.j.instance, revision: rows.c }
    : undefined;
}

/** Locks a run until the transaction ends. Returns undefined if the run has ended. */
export async function lockOpenRun(tx: WorkspaceTransaction, runId: string): Promise<TapRun | undefined> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const run = await tx.em.findOne(TapRun, { id: runId }, options);
  return run && isOpenRun(run.status) ? run : undefined;
}
