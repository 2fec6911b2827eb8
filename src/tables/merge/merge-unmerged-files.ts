import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode, modeOf } from '../../catalog/model/table-mode.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { commitTableFiles } from '../files/commit-table-files.js';
import type { TableJobData } from '../files/table-cleanup-job.js';
import { type TableLease, waitForTableLease } from '../files/table-lease.js';
import { scheduleMerge } from '../files/table-merge-job.js';
import type { TableServices } from '../table-context.js';
import { withMergedFiles } from './merge-into-table.js';

const RETRY_SECONDS = 15;

/** Merges all unmerged files of a table. If the table has another writer, schedules the merge again. */
export async function mergeUnmergedFiles(
  services: TableServices,
  data: TableJobData,
  signal: AbortSignal,
): Promise<void> {
  const result = await waitForTableLease(services, data, signal, (lease) => mergeAll(services, lease, signal));
  if (result !== 'taken') return;
  await runTenantTransaction(services.em, services.tables, data.tenantId, ({ em }) =>
    scheduleMerge(services.jobs, em, data, RETRY_SECONDS),
  );
}

async function mergeAll(services: TableServices, lease: TableLease, jobSignal: AbortSignal): Promise<void> {
  const { tenantId, tableId } = lease;
  const inWorkspace = <Result>(work: Parameters<typeof runTenantTransaction<Result>>[3]): Promise<Result> =>
    runTenantTransaction(services.em, services.tables, tenantId, work);
  const { table, mode, deletedRows } = await inWorkspace(async ({ read }) => {
    const table = (await read.byId(CatalogTable, tableId)) as Lean<CatalogTable>;
    const tap = await read.byId(TenantConnectorTap, table.tap);
    const definition = (tap?.tap && (await read.byId(ConnectorTap, tap.tap))) || undefined;
    const mode = modeOf(tap ?? {}, definition);
    return { table, mode: isMergedMode(mode) ? mode : undefined, deletedRows: tap?.deletedRows ?? 'remove' };
  });
  // The rows already count against the quota.
  const target = { tenantId, tableId, schemaVersion: table.schemaVersion, enforcesQuota: false };
  const options = { mode, deletedRows, isDue: true, signal: AbortSignal.any([jobSignal, lease.signal]) };
  await withMergedFiles(services, target, [], options, async (change) => {
    if (change.added.length + change.replaced.length === 0) return;
    await inWorkspace((tx) => commitTableFiles(tx, lease, { ...change, cause: { kind: 'merge' } }));
  });
}
