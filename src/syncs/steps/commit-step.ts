import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { TableMerger } from '../../tables/catalog-table.js';
import { commitTableFiles } from '../../tables/files/commit-table-files.js';
import { keepGenerationFiles } from '../../tables/files/generation-files.js';
import { releaseTableLease, type TableLease } from '../../tables/files/table-lease.js';
import type { TableServices } from '../../tables/table-context.js';
import type { GateDecision } from '../../tables/table-hooks.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { WrittenFile } from '../../tables/written-file.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { endSyncJob } from '../lifecycle/end-sync-job.js';
import { endTapRun } from '../lifecycle/end-tap-run.js';
import { addCounts, type RunCounts } from '../run-counts.js';
import type { LoadedRun } from '../runs/load-run.js';
import { lockOpenRun, writeWithLockedConnection } from '../runs/lock-run.js';
import { syncStepQueue } from '../runs/sync-step-job.js';
import { saveTapStates } from '../runs/tap-states.js';
import { positionAfterWait, waitedTooOften } from '../runs/wait-for-vendor.js';
import type { SavedCursor } from '../saved-cursor.js';
import type { PlannedSlices } from '../slices/plan-slices.js';
import { deleteResumableSlices } from '../slices/resumable-slices.js';
import { saveParentVersions } from '../slices/saved-parent-versions.js';
import { deleteSlices, insertSlices, type OpenSlice, saveSlices } from '../slices/slice-rows.js';
import type { TapRun } from '../tap-run.js';
import type { StepEnd } from './slice-reader.js';
import type { StepEnding, StepLog } from './step-log.js';
import { RunEnded } from './step-progress.js';

export interface StepResult {
  readonly lease: TableLease;
  readonly requestId: string;
  readonly added: readonly WrittenFile[];
  /** All files of the new table. Used only if the step replaces the whole table. */
  readonly files: readonly WrittenFile[];
  /** Ids of files to remove from the table. */
  readonly replaced: readonly string[];
  /** Files whose rows the next merge adds to the table. */
  readonly unmerged?: readonly WrittenFile[];
  /** Who merges record versions from now on: the service or the readers. Undefined if this does not change. */
  readonly mergedBy?: TableMerger | undefined;
  /** Whether the rows have `HISTORY_COLUMNS` after this step. Undefined if this property does not change. */
  readonly hasHistory?: boolean | undefined;
  /** Files with the keys of the received records, for a run that deletes absent records at its end. */
  readonly keys: readonly WrittenFile[];
  readonly end: StepEnd;
  /** Undefined if the columns do not change. */
  readonly schema: TableSchema | undefined;
  readonly slices: readonly OpenSlice[];
  /** Set only in the step that plans the run. */
  readonly plan: PlannedSlices | undefined;
  readonly cursors: ReadonlyMap<string, SavedCursor | undefined>;
  readonly parentVersions: ReadonlyMap<string, string>;
  readonly decision: GateDecision | undefined;
  readonly counts: RunCounts;
  readonly hasPages: boolean;
  readonly log: StepLog;
}

/**
 * Uses one transaction, and releases the lease of the table. Throws `RunEnded` if the run has ended, for example
 * because a user has cancelled it, and `LeaseLost` if another step has taken over.
 */
export async function commitStep(services: TableServices, loaded: LoadedRun, step: StepResult): Promise<void> {
  const { tenantId, runId } = loaded;
  await writeWithLockedConnection(services, loaded, step.requestId, async (tx) => {
    const run = await lockOpenRun(tx, runId);
    if (!run) throw new RunEnded();
    await step.decision?.save(tx);
    await changeTable(tx, loaded, step);
    await saveChangedSlices(tx, loaded, run, step);
    if (run.rangeFrom == null) await saveTapStates(tx.em, loaded, step.cursors);
    await saveParentVersions(tx.em, loaded, step.parentVersions);
    tx.update(run, positionAfter(run, step));
    await releaseTableLease(tx, step.lease);
    await step.log.save(tx.em, loaded, { counts: step.counts, ...endingOf(step.end, run) });
    if (step.end.kind === 'complete') return endTapRun(tx, services, loaded, { status: 'succeeded' }, run);
    const failure = step.end.kind === 'wait' ? waitedTooOften(run, step.end.error) : undefined;
    if (failure) return endTapRun(tx, services, loaded, failure, run);
    const startAfter = run.notBefore ?? 0;
    await services.jobs.enqueue(tx.em, syncStepQueue, { tenantId, runId }, { key: runId, startAfter });
    await endSyncJob(tx, loaded); // The run is still open, so this call updates the counts, but does not end the job.
  });
}

async function changeTable(tx: WorkspaceTransaction, loaded: LoadedRun, step: StepResult): Promise<void> {
  const { tenantId, tableId, runId, run } = loaded;
  const { lease, added, files, replaced, unmerged = [], schema, end, hasHistory } = step;
  const cause = { kind: 'sync', tapRunId: runId } as const;
  const columns = { cause, ...(schema && { schema }) };
  if (run.mode !== 'replace') {
    const facts = {
      ...(step.mergedBy && { mergedBy: step.mergedBy }),
      ...(hasHistory !== undefined && { hasHistory }),
    };
    await commitTableFiles(tx, lease, { added, replaced, unmerged, ...facts, ...columns });
    if (step.keys.length > 0) await keepGenerationFiles(tx.em, { tenantId, tableId, generation: runId }, step.keys);
    return;
  }
  if (end.kind !== 'complete') {
    // Adds no files yet, but checks that no other step has taken over the table. The files become part of the table at
    // the end of the run.
    await commitTableFiles(tx, lease, { added: [], ...columns });
    return keepGenerationFiles(tx.em, { tenantId, tableId, generation: runId }, added);
  }
  const facts = { mergedBy: 'service', hasHistory: hasHistory ?? false } as const;
  await commitTableFiles(tx, lease, { added: files, replaced, ...facts, ...columns });
  if (run.isResync) await tx.em.nativeUpdate(TenantConnectorTap, { id: loaded.tapId }, { resetAt: null as never });
}

export function hasSkipped(slices: readonly OpenSlice[]): boolean {
  return slices.some(({ state }) => state === 'skipped');
}

/** Saves no slices if the run is complete. */
async function saveChangedSlices(
  tx: WorkspaceTransaction,
  loaded: LoadedRun,
  run: TapRun,
  { plan, slices, end }: StepResult,
): Promise<void> {
  // The records of a skipped slice are unknown, so the run must not delete absent records.
  const deletesAbsent = (plan ?? run).deletesAbsent && !hasSkipped(slices);
  tx.update(run, { deletesAbsent });
  if (!plan || plan.isSaved) return end.kind === 'complete' ? undefined : saveSlices(tx.em, loaded, slices);
  tx.update(run, { slicesTotal: plan.total, runUntil: plan.runUntil });
  if (run.rangeFrom == null) await deleteResumableSlices(tx.em, loaded);
  if (end.kind === 'complete') return;
  const open = plan.first.filter(({ state }) => state === 'open');
  await deleteSlices(tx.em, loaded);
  await insertSlices(tx.em, loaded, open);
}

function positionAfter(run: TapRun, { end, counts, hasPages }: StepResult): Partial<TapRun> {
  const committed = addCounts(run.committed, counts);
  const position =
    end.kind === 'wait'
      ? positionAfterWait(run, end.error, hasPages)
      : { status: 'running' as const, notBefore: null as never, idleWaits: 0 };
  return { committed, ...committed, ...position, failedAttempts: 0 };
}

export const OUTCOMES = { complete: 'completed', more: 'continued', wait: 'waiting' } as const;

function endingOf(end: StepEnd, { notBefore }: TapRun): StepEnding {
  if (end.kind !== 'wait') return { outcome: OUTCOMES[end.kind] };
  const { errorClass, message: errorMessage } = end.error;
  return { outcome: OUTCOMES.wait, errorClass, errorMessage, ...(notBefore && { waitUntil: notBefore }) };
}
