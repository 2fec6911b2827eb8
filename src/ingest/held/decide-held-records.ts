import { LeaseLost } from '../../kernel/concurrency/lease.js';
import { AppError } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { lockTap, readTap } from '../../tables/existing-tap.js';
import { commitTableFiles, type TableChange } from '../../tables/files/commit-table-files.js';
import { discardOnFailure } from '../../tables/files/discard-table-files.js';
import { readLiveFiles } from '../../tables/files/generation-files.js';
import { type TableLease, waitForTableLease } from '../../tables/files/table-lease.js';
import { withMergedFiles } from '../../tables/merge/merge-into-table.js';
import type { TableContext } from '../../tables/table-context.js';
import type { GateDecision } from '../../tables/table-hooks.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { readFlushTarget } from '../flush-target.js';
import { type Decision, writeDecidedFiles } from './write-decided-files.js';

type Context = Pick<TableContext, 'write' | 'tableServices'>;

/**
 * Accepted records become rows, and the table gets their new columns. Refused records become rejects, and the tap
 * remembers their new fields as refused. Throws NOT_FOUND if the tap does not exist. Throws CONFLICT if the quality
 * gate rejects the rows, or if another writer holds the lease of the table for more than 10 seconds. Throws
 * STORAGE_QUOTA_EXCEEDED if the quota has no room for merged files.
 */
export async function decideHeldRecords(context: Context, tapId: string, decision: Decision): Promise<void> {
  const table = await context.write(async (tx) => {
    await readTap(tx.read, tapId);
    const [own] = await tx.read.many(CatalogTable, 'tap', tapId);
    if (own?.heldRecords) return own;
    await recordDecision(tx, tapId, { decision, records: 0, columns: [] });
  });
  if (!table) return;
  const { signal } = new AbortController();
  const { tenantId, id: tableId } = table;
  const result = await waitForTableLease(context.tableServices, { tenantId, tableId }, signal, (lease) =>
    decideUnderLease(context, lease, tapId, decision),
  );
  if (result === 'taken') throw beingWritten();
}

async function decideUnderLease(
  { write, tableServices }: Context,
  lease: TableLease,
  tapId: string,
  decision: Decision,
): Promise<void> {
  const { tenantId, tableId, signal } = lease;
  const { em, tables, hooks } = tableServices;
  const { held, proposed, target } = await runTenantTransaction(em, tables, tenantId, async (tx) => ({
    held: (await readLiveFiles(tx.em, { tenantId, tableId })).filter(({ kind }) => kind === 'held'),
    proposed: (await tx.read.byId(CatalogTable, tableId))?.proposedColumns ?? [],
    target: await readFlushTarget(tx.read, hooks, tableId, tapId),
  }));
  if (held.length === 0) return write((tx) => recordDecision(tx, tapId, { decision, records: 0, columns: [] }));
  const decided = await writeDecidedFiles(tableServices, { lease, target, held }, decision);
  const columns = proposed.map(({ name }) => name);
  const replaced = held.map(({ id }) => id);
  const records = held.reduce((sum, { rows }) => sum + rows, 0);
  const commit = (change: Omit<TableChange, 'cause' | 'schema'>, checked?: GateDecision): Promise<void> =>
    write(async (tx) => {
      await checked?.save(tx);
      const { replaced: merged = [], ...rest } = change;
      await commitTableFiles(tx, lease, {
        ...{ ...rest, replaced: [...merged, ...replaced], cause: { kind: 'decision' } },
        ...(decided.schema !== target.schema && { schema: decided.schema }),
      }).catch((error: unknown) => {
        throw error instanceof LeaseLost ? beingWritten() : error;
      });
      await recordDecision(tx, tapId, { decision, records, columns });
    });
  await discardOnFailure(tableServices, lease, decided.files, async () => {
    if (decision === 'refuse') return commit({ added: decided.files });
    const { files, schema } = decided;
    const incoming = { tenantId, tableId, runId: newId(), files, schema, attempt: 1, signal };
    const checked = await target.gate.check(incoming);
    if (checked.rejectionReason !== undefined) {
      await write((tx) => checked.save(tx));
      throw new AppError('CONFLICT', `The quality gate of the table rejects the rows: ${checked.rejectionReason}`);
    }
    const schemaVersion = target.schemaVersion + (schema === target.schema ? 0 : 1);
    const place = { tenantId, tableId, schemaVersion, enforcesQuota: true };
    const options = { mode: target.mode, deletedRows: target.deletedRows, isDue: true, signal };
    await withMergedFiles(tableServices, place, files, options, (change) => commit(change, checked));
  });
}

interface Decided {
  readonly decision: Decision;
  readonly records: number;
  readonly columns: readonly string[];
}

async function recordDecision(
  tx: WorkspaceTransaction,
  tapId: string,
  { decision, records, columns }: Decided,
): Promise<void> {
  const tap = await lockTap(tx, tapId);
  if (decision === 'refuse' && columns.length > 0)
    tx.update(tap, { refusedFields: [...new Set([...(tap.refusedFields ?? []), ...columns])] });
  tx.recordAudit(`connector_tap.held_records_${decision === 'accept' ? 'accepted' : 'refused'}`, tap, {
    ...{ records, columns },
  });
}

function beingWritten(): AppError {
  return new AppError('CONFLICT', 'Another job is still writing to the table. Try again shortly.');
}
