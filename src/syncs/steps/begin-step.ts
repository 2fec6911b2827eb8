import { saveSyncState } from '../../instances/save-sync-state.js';
import { SyncJob } from '../../instances/sync-job.js';
import type { HeldLease } from '../../kernel/concurrency/lease.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { acquireTableLease } from '../../tables/files/table-lease.js';
import type { TableServices } from '../../tables/table-context.js';
import type { RowGate } from '../../tables/table-hooks.js';
import type { TableSchema } from '../../tables/table-schema.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { endTapRun } from '../lifecycle/end-tap-run.js';
import { pauseRun } from '../lifecycle/pause-run.js';
import { type LoadedRun, loadRun } from '../runs/load-run.js';
import { lockRunWithConnection } from '../runs/lock-run.js';
import { STEP_LEASE_SECONDS, type SyncStepData, syncStepQueue } from '../runs/sync-step-job.js';

export interface StepTarget {
  readonly schema: TableSchema;
  readonly schemaVersion: number;
  readonly gate: RowGate;
}

/** The run has the status `running`, and the step holds the lease of the table. */
export interface BegunStep {
  readonly loaded: LoadedRun;
  readonly target: StepTarget;
  readonly held: HeldLease;
}

const MARK_RUN = `
update tap_run set status = 'running', started_at = coalesce(started_at, $3), not_before = null, updated_at = $3, updated_by = $4
where tenant_id = $1 and id = $2 and status <> 'running'`;

const MARK_JOB = `
update sync_job set status = 'running', started_at = coalesce(started_at, $3), updated_at = $3, updated_by = $4
where tenant_id = $1 and id = $2 and status <> 'running'`;

/**
 * Returns `taken` if another writer holds the lease of the table, and undefined if the step has nothing to read now.
 */
export async function beginStep(
  services: TableServices,
  data: SyncStepData,
  job: RunningJob,
): Promise<BegunStep | 'taken' | undefined> {
  const { em, tables, jobs, hooks } = services;
  const { tenantId, runId } = data;
  return writeAsCaller(em, tables, systemCaller(tenantId), job.id, async (tx) => {
    const locked = await lockRunWithConnection(tx, runId);
    if (!locked) return undefined;
    services.definitions.use(tx.read, locked.revision);
    const loaded = await loadRun(tx, data, locked.revision);
    if (!loaded) return undefined;
    if ('status' in loaded) return endTapRun(tx, services, { ...locked, runId }, loaded);
    const notBefore = loaded.run.notBefore && new Date(loaded.run.notBefore);
    if (notBefore && notBefore > new Date())
      return jobs.enqueue(tx.em, syncStepQueue, data, { key: runId, startAfter: notBefore });
    if (loaded.isPaused) return pauseRun(tx, jobs, data);
    const lease = acquireTableLease(tx.read, loaded, STEP_LEASE_SECONDS);
    const [held, table] = await Promise.all([lease, tx.read.byId(CatalogTable, loaded.tableId)]);
    if (!held || !table) return 'taken';
    await markRunning(tx, loaded);
    const { schema, schemaVersion } = table;
    const gate = await hooks.openGate(tx.read, table, loaded.run.mode === 'replace' ? runId : undefined);
    return { loaded, held, target: { schema, schemaVersion, gate } };
  }) as Promise<BegunStep | 'taken' | undefined>;
}

async function markRunning(tx: WorkspaceTransaction, { jobId, runId, instanceId, run }: LoadedRun): Promise<void> {
  if (run.status === 'running') return;
  const { tenantId, userId } = tx.caller;
  const change = [new Date(), decodeId(userId)];
  await deferPrepared(tx.em, MARK_RUN, [decodeId(tenantId), decodeId(runId), ...change]);
  const job = await tx.read.byId(SyncJob, jobId);
  if (job?.status === 'running') return;
  await deferPrepared(tx.em, MARK_JOB, [decodeId(tenantId), decodeId(jobId), ...change]);
  await saveSyncState(tx, { id: instanceId });
}
