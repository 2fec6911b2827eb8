import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode, modeOf } from '../../catalog/model/table-mode.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { LeaseLost } from '../../kernel/concurrency/lease.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId, encodeId } from '../../kernel/ids.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { lockTap, readTap } from '../../tables/existing-tap.js';
import { commitTableFiles, type TableChange } from '../../tables/files/commit-table-files.js';
import { discardOnFailure } from '../../tables/files/discard-table-files.js';
import { discardGeneration, readSwapFiles } from '../../tables/files/generation-files.js';
import type { TableJobData } from '../../tables/files/table-cleanup-job.js';
import { type TableLease, waitForTableLease } from '../../tables/files/table-lease.js';
import { withMergedFiles } from '../../tables/merge/merge-into-table.js';
import { planSwap } from '../../tables/merge/plan-swap.js';
import type { TableContext } from '../../tables/table-context.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { TapRun } from '../tap-run.js';

type Context = Pick<TableContext, 'write' | 'tableServices'>;

/**
 * If the mode of the run is `upsert` or `history`, merges the held rows into the table and deletes the records that the
 * read did not return. Otherwise, replaces the rows of the table with the held rows. Throws NOT_FOUND if the tap does
 * not exist. Throws CONFLICT if the tap has no held rows, or if another writer holds the lease of the table for more
 * than 10 seconds.
 */
export async function acceptHeldRows({ write, tableServices }: Context, tapId: string): Promise<void> {
  const table = await write((tx) => tableWithHeldRows(tx, tapId));
  const accept = (lease: TableLease) => replaceRows({ write, tableServices }, lease, tapId);
  const result = await waitForTableLease(tableServices, table, undefined, accept);
  if (result === 'taken') throw beingWritten();
}

/** Has no effect on a tap without held rows, except for the audit entry. Throws NOT_FOUND if the tap does not exist. */
export async function discardRowsOfTap({ write, tableServices }: Context, tapId: string): Promise<void> {
  await write(async (tx) => {
    // Locks the run before the tap, as `acceptHeldRows` does, because another order could deadlock.
    const run = await lockHeldRun(tx, tapId);
    const tap = await lockTap(tx, tapId);
    const [table] = await tx.read.many(CatalogTable, 'tap', tapId);
    tx.recordAudit('connector_tap.held_rows_discarded', tap, run && { runId: run.id });
    if (!table || !run) return;
    run.heldUntil = null as never;
    await tx.em.flush();
    const { tenantId } = tx.caller;
    await discardGeneration(tableServices.jobs, tx.em, { tenantId, tableId: table.id, generation: run.id });
  });
}

async function tableWithHeldRows(tx: WorkspaceTransaction, tapId: string): Promise<TableJobData> {
  await readTap(tx.read, tapId);
  const [table] = await tx.read.many(CatalogTable, 'tap', tapId);
  if (!table || !(await lockHeldRun(tx, tapId))) throw nothingHeld();
  return { tenantId: tx.caller.tenantId, tableId: table.id };
}

const LOCK_HELD = `
select id from tap_run where tenant_id = $1 and tap_id = $2 and held_until > clock_timestamp() for update`;

/** Returns undefined if the tap has no held rows, or if their time has expired. */
async function lockHeldRun({ em, read, caller }: WorkspaceTransaction, tapId: string): Promise<TapRun | undefined> {
  const [row] = await read.rows(LOCK_HELD, [caller.tenantId, tapId].map(decodeId));
  return row && em.findOneOrFail(TapRun, { id: encodeId(row[0] as string) }, { refresh: true });
}

async function replaceRows({ write, tableServices }: Context, lease: TableLease, tapId: string): Promise<void> {
  const { tenantId, tableId, signal } = lease;
  const decision = await write((tx) => readDecision(tx, tapId, tableId));
  const { run, schemaVersion, mode, isWhole, deletedRows } = decision;
  const target = { tenantId, tableId, schemaVersion, enforcesQuota: true };
  const commit = (change: Omit<TableChange, 'cause'>): Promise<void> =>
    write(async (tx) => {
      const held = await lockHeldRun(tx, tapId);
      if (held?.id !== run.id) throw nothingHeld();
      held.heldUntil = null as never;
      await tx.em.flush();
      const cause = { kind: 'sync', tapRunId: run.id } as const;
      await commitTableFiles(tx, lease, { ...change, cause }).catch((error: unknown) => {
        throw error instanceof LeaseLost ? beingWritten() : error;
      });
      // The accepted rows complete a reset, unless a user has reset the tap since the start of the run.
      await tx.em.nativeUpdate(
        TenantConnectorTap,
        { id: tapId, resetAt: { $lte: run.createdAt } },
        { resetAt: null as never },
      );
      // After a merge, the files of the run are no longer needed, because other files contain their rows.
      await discardGeneration(tableServices.jobs, tx.em, { tenantId, tableId, generation: run.id });
      tx.recordAudit('connector_tap.held_rows_accepted', await lockTap(tx, tapId), { runId: run.id });
    });
  if (isMergedMode(run.mode)) {
    const place = { tenantId, tableId, generation: run.id };
    const { earlier } = await write((tx) => readSwapFiles(tx.em, place));
    const options = { mode: run.mode, deletedRows, isDue: true, signal };
    const rows = earlier.filter(({ kind }) => kind !== 'keys');
    return withMergedFiles(tableServices, target, rows, options, commit);
  }
  const swap = { mergedBy: 'service', hasHistory: false } as const;
  const keepsPushedSince = isWhole ? undefined : new Date(run.startedAt ?? run.createdAt);
  const options = { generation: run.id, keepsPushedSince, isKeyed: mode !== undefined, signal };
  const { earlier, replaced, pushed } = await planSwap(tableServices, target, options);
  const files = [...earlier, ...pushed];
  const replacedIds = replaced.map(({ id }) => id);
  await discardOnFailure(tableServices, lease, pushed, () =>
    mode === undefined
      ? commit({ ...swap, added: files, replaced: replacedIds })
      : withMergedFiles(
          tableServices,
          target,
          files,
          { mode, deletedRows, isDue: true, isReplacement: true, signal },
          ({ added, hasHistory = false }) => commit({ ...swap, added, replaced: replacedIds, hasHistory }),
        ),
  );
}

async function readDecision(tx: WorkspaceTransaction, tapId: string, tableId: string) {
  const run = await lockHeldRun(tx, tapId);
  const table = await tx.read.byId(CatalogTable, tableId);
  if (!run || !table) throw nothingHeld();
  const tap = await readTap(tx.read, tapId);
  const definition = tap.tap ? await tx.read.byId(ConnectorTap, tap.tap) : undefined;
  const mode = modeOf(tap, definition);
  const merged = isMergedMode(mode) ? mode : undefined;
  return {
    ...{ run, schemaVersion: table.schemaVersion, deletedRows: tap.deletedRows, mode: merged },
    isWhole: definition?.sync.mode === 'full' && !merged,
  };
}

function nothingHeld(): AppError {
  return new AppError('CONFLICT', 'The tap has no held rows.');
}

function beingWritten(): AppError {
  return new AppError('CONFLICT', 'Another job is still writing to the table. Try again shortly.');
}
