import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode } from '../../catalog/model/table-mode.js';
import { SyncJob } from '../../instances/sync-job.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { recordSpan, spanIdsOf } from '../../kernel/tracing.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { discardGeneration, KEPT_DAYS } from '../../tables/files/generation-files.js';
import { findFeed } from '../../tables/merge/find-feed.js';
import { mergeSoon } from '../../tables/merge/unmerged-files.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { discardHeldRows } from '../held/discard-held-rows.js';
import { lockOpenRun } from '../runs/lock-run.js';
import type { EndServices, RunEnd } from '../runs/run-end.js';
import { keepResumableSlices } from '../slices/resumable-slices.js';
import { deleteSlices } from '../slices/slice-rows.js';
import { tapRunEnded } from '../sync-events.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun } from '../tap-run-status.js';

const DAY_MS = 86_400_000;

/** Does nothing if the run has ended. A caller that has locked the open run passes this run as `locked`. */
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
  // A run of a time range leaves no slices to continue, because the next run starts at the saved cursor.
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

/** The caller must lock the connection. */
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
 * Holds or deletes the files that did not become part of the table. After a successful run, a merge has written their
 * rows to other files.
 */
async function settleFiles(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { id: runId, tenantId, mode, tap }: TapRun,
  { status, hold }: Pick<RunEnd, 'status' | 'hold'>,
): Promise<void> {
  const tapId = tap.id;
  const isSuccess = status === 'succeeded';
  // If the run succeeds, its last step merges the rows.
  if (isMergedMode(mode) && !isSuccess) await mergeRowsOf(tx, jobs, tapId);
  const [table] = await tx.read.many(CatalogTable, 'tap', tapId);
  if (!table) return;
  const tableId = table.id;
  await Promise.all([
    hold ? hold(tx) : discardGeneration(jobs, tx.em, { tenantId, tableId, generation: runId }),
    // This read supersedes the held rows of an older read.
    (hold || isSuccess) && discardHeldRows(tx, jobs, { tapId, tableId }, runId),
  ]);
}

/** Schedules a merge of the tap's table or, if the tap feeds another tap, of the table of the fed tap. */
async function mergeRowsOf(tx: WorkspaceTransaction, jobs: Jobs, tapId: string): Promise<void> {
  const { read } = tx;
  const tap = await read.byId(TenantConnectorTap, tapId);
  const definition = tap?.tap && (await read.byId(ConnectorTap, tap.tap));
  const feed = tap && (await findFeed(read, tap, definition || undefined));
  const [table] = await read.many(CatalogTable, 'tap', feed?.tap.id ?? tapId);
  if (table) await mergeSoon(jobs, tx, { tenantId: table.tenantId, tableId: table.id });
}

/** The spans of the steps are children of this span. */
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
