import { LockMode } from '@mikro-orm/core';
import { CatalogRevision } from '../../catalog/catalog-revision.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { isMergedMode } from '../../catalog/model/table-mode.js';
import { SyncJob } from '../../instances/sync-job.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { statusListSql } from '../../kernel/entities/status-list-sql.js';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { readJoined } from '../../kernel/reading/read-joined.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { recordSpan, spanIdsOf } from '../../kernel/tracing.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { discardGeneration, KEPT_DAYS } from '../../tables/files/generation-files.js';
import { findFeed } from '../../tables/merge/find-feed.js';
import { mergeSoon } from '../../tables/merge/unmerged-files.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { discardHeldRows } from '../held/discard-held-rows.js';
import type { HeldRows } from '../held/rejected-rows.js';
import { tapRunEnded } from '../sync-events.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun, OPEN_RUN_STATUSES, type TapRunStatus } from '../tap-run-status.js';
import { type ConnectionJob, endSyncJob } from './end-sync-job.js';
import { planSync } from './plan-sync.js';
import { keepResumableSlices } from './resumable-slices.js';
import { deleteSlices } from './slice-rows.js';

const DAY_MS = 86_400_000;

/** Describes how a tap run ends. */
export interface RunEnd {
  readonly status: Extract<TapRunStatus, 'succeeded' | 'failed' | 'skipped' | 'cancelled'>;
  readonly errorClass?: SyncErrorClass | undefined;
  readonly errorMessage?: string | undefined;
  /** Whether the quality gate of the table rejected the rows. */
  readonly isRejected?: boolean;
  /** Holds the rows of a rejected full read, so that a person can accept them. */
  readonly hold?: HeldRows['hold'] | undefined;
}

export interface EndServices {
  readonly jobs: Jobs;
}

/**
 * Locks the connection of a sync job until the transaction ends. Callers must lock the connection first, because the
 * deletion of taps and the results of quality checks use the same order.
 */
export async function lockConnectionOfJob({ em, caller }: WorkspaceTransaction, jobId: string): Promise<void> {
  await deferPrepared(em, LOCK_CONNECTION, [caller.tenantId, jobId].map(decodeId));
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

/**
 * Locks a run and, before it, its connection, until the transaction ends. Also reads their rows, and the revision of
 * the catalog. Returns undefined if the run has ended.
 */
export async function lockRunWithConnection(
  { em, read, caller }: WorkspaceTransaction,
  runId: string,
): Promise<(ConnectionJob & { readonly revision: Lean<CatalogRevision> | undefined }) | undefined> {
  const ids = [caller.tenantId, runId].map(decodeId);
  // The lock is a separate statement, so that the next statement reads all changes from before the lock.
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

/**
 * Ends a run. Deletes its slices and files, unless the next run or a decision about held rows needs them. Continues
 * with its child taps, and ends the sync job after its last run. The caller must lock the connection. A caller that
 * passes `locked` must also lock the run. Has no effect on a run that has ended.
 */
export async function endTapRun(
  tx: WorkspaceTransaction,
  services: EndServices,
  { jobId, instanceId, runId }: ConnectionJob & { readonly runId: string },
  end: RunEnd,
  locked?: TapRun,
): Promise<void> {
  await closeTapRun(tx, services, runId, end, locked);
  tx.read.clear();
  const runs = await planSync(tx, services, jobId, { endedRunId: runId });
  await endSyncJob(tx, { jobId, instanceId }, runs);
}

/** Ends a run without effects on other runs. `locked` is the run, if it is open and the caller has locked it. */
export async function closeTapRun(
  tx: WorkspaceTransaction,
  { jobs }: EndServices,
  runId: string,
  { status, errorClass, errorMessage, isRejected, hold }: RunEnd,
  locked?: TapRun,
): Promise<void> {
  const run = locked ?? (await lockOpenRun(tx, runId));
  if (!run) return;
  const now = new Date();
  tx.update(run, {
    ...run.committed,
    ...{ status, finishedAt: now, startedAt: run.startedAt ?? now, notBefore: null as never },
    ...(errorClass && { errorClass }),
    ...(errorMessage && { errorMessage }),
    ...(hold && { heldUntil: new Date(now.getTime() + KEPT_DAYS * DAY_MS) }),
  });
  await tx.em.flush();
  const { tenantId } = tx.caller;
  // A run of a time range leaves no slices to continue, because the next run starts at its own cursor.
  const isResumed = run.mode !== 'replace' && run.rangeFrom == null && (status === 'failed' || status === 'cancelled');
  await (isResumed ? keepResumableSlices : deleteSlices)(tx.em, { tenantId, runId });
  tx.read.clear();
  tx.afterCommit(async () => {
    tapRunEnded.publish({ status, errorClass });
    recordTapSpan(run);
  });
  await settleFiles(tx, jobs, run, { status, hold });
  if (isRejected) await tx.em.nativeUpdate(SyncJob, { id: run.job.id }, { qualityDegraded: true });
}

/** Ends all open runs of a sync job. The caller must lock the connection. */
export async function closeOpenRuns(
  tx: WorkspaceTransaction,
  services: EndServices,
  jobId: string,
  end: RunEnd,
): Promise<void> {
  for (const { id, status } of await tx.read.many(TapRun, 'job', jobId))
    if (isOpenRun(status)) await closeTapRun(tx, services, id, end);
}

/**
 * Holds or deletes the files of the run that did not become part of the table. After a successful run, a merge has
 * written the rows of these files to other files.
 */
async function settleFiles(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { id: runId, tenantId, mode, tap }: TapRun,
  { status, hold }: Pick<RunEnd, 'status' | 'hold'>,
): Promise<void> {
  const tapId = tap.id;
  const isSuccess = status === 'succeeded';
  // The last step of a successful run merges its rows.
  if (isMergedMode(mode) && !isSuccess) await mergeRowsOf(tx, jobs, tapId);
  const [table] = await tx.read.many(CatalogTable, 'tap', tapId);
  if (!table) return;
  const tableId = table.id;
  await Promise.all([
    hold ? hold(tx) : discardGeneration(jobs, tx.em, { tenantId, tableId, generation: runId }),
    // A newer read makes the decision about older reads unnecessary.
    (hold || isSuccess) && discardHeldRows(tx, jobs, { tapId, tableId }, runId),
  ]);
}

/** Schedules a merge of the table of a tap or, if the tap feeds another table, of the fed table. */
async function mergeRowsOf(tx: WorkspaceTransaction, jobs: Jobs, tapId: string): Promise<void> {
  const { read } = tx;
  const tap = await read.byId(TenantConnectorTap, tapId);
  const definition = tap?.tap && (await read.byId(ConnectorTap, tap.tap));
  const feed = tap && (await findFeed(read, tap, definition || undefined));
  const [table] = await read.many(CatalogTable, 'tap', feed?.tap.id ?? tapId);
  if (table) await mergeSoon(jobs, tx, { tenantId: table.tenantId, tableId: table.id });
}

/** Records the span of the run. The spans of its steps are its children. */
function recordTapSpan(run: TapRun): void {
  const { id, mode, status, errorClass } = run;
  const job = run.job.id;
  const { startedAt, finishedAt, recordsRead, recordsWritten, requests } = run;
  recordSpan('sync.tap', {
    ids: spanIdsOf({ whole: job, part: id }),
    attributes: {
      ...{ 'taproot.sync.id': job, 'taproot.tap_run.id': id, 'taproot.mode': mode, 'taproot.status': status },
      ...{
        'taproot.records_read': recordsRead,
        'taproot.records_written': recordsWritten,
        'taproot.requests': requests,
      },
    },
    ...{ startedAt: startedAt as Date, endedAt: finishedAt as Date },
    ...(status === 'failed' && { failure: errorClass ?? 'internal' }),
  });
}
