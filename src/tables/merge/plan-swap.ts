import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../catalog-table.js';
import { readSwapFiles } from '../files/generation-files.js';
import type { TableFileTarget } from '../files/upload-table-file.js';
import type { TableServices } from '../table-context.js';
import type { WrittenFile } from '../written-file.js';
import { copyPushedRows } from './copy-pushed-rows.js';

/**
 * Files that a table gains and loses when a generation (`generation-files.ts`) replaces its rows. Excludes the files
 * that the last step of the run writes.
 */
export interface Swap {
  readonly earlier: readonly WrittenFile[];
  readonly replaced: readonly WrittenFile[];
  /** Files of the records that senders pushed during the run. */
  readonly pushed: readonly WrittenFile[];
}

export const NO_SWAP: Swap = { earlier: [], replaced: [], pushed: [] };

interface SwapOptions {
  readonly generation: string;
  /** Start of the run. Undefined if the replacement also removes pushed records. */
  readonly keepsPushedSince: Date | undefined;
  readonly isKeyed: boolean;
  readonly signal: AbortSignal;
}

/**
 * Plans the swap of a generation, whose files replace all rows of the table. Keeps the records that senders pushed
 * during the run, because the source may have returned older versions of them. The caller must hold the lease of the
 * table.
 */
export async function planSwap(
  services: TableServices,
  target: TableFileTarget,
  { generation, keepsPushedSince: since, isKeyed, signal }: SwapOptions,
): Promise<Swap> {
  const { tenantId, tableId } = target;
  const { earlier, live, schema } = await runTenantTransaction(
    ...([services.em, services.tables, tenantId] as const),
    async ({ em, read }) => ({
      ...(await readSwapFiles(em, { tenantId, tableId, generation })),
      schema: since && ((await read.byId(CatalogTable, tableId)) as Lean<CatalogTable>).schema,
    }),
  );
  if (!since || !schema) return { earlier, replaced: live, pushed: [] };
  const replaced = live.filter(({ kind, firstReceivedAt, lastReceivedAt }) => {
    if (kind === 'held') return lastReceivedAt < since;
    return kind !== 'rejects' || firstReceivedAt < since;
  });
  const copy = await copyPushedRows(services, target, { files: live, since, isKeyed, schema, signal });
  return { earlier, replaced, pushed: copy ? [copy] : [] };
}
