import { decodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { splitWindow } from '../requests/split-window.js';
import type { SliceScope } from '../tap-reading.js';
import { childScopes } from './child-scopes.js';
import type { LoadedRun } from './load-run.js';
import { deleteSlices, insertSlices, type PlannedSlice } from './slice-rows.js';
import type { OpenTap, SyncServices } from './sync-services.js';
import { partitionOf, readTapStates } from './tap-states.js';

/** Slices inserted per statement. */
const INSERT_BATCH = 1_000;

const DAY_MS = 86_400_000;

const SAVE_PLAN = `
update tap_run set slices_total = ?, left_out_parents = ? where tenant_id = ? and id = ? and slices_total is null`;

/**
 * Plans the slices of a run: one per root scope or parent record, and per time window. A plan that was interrupted
 * starts again. Throws `TapReadError`. Returns the number of slices.
 */
export async function planSlices(
  { tableServices }: SyncServices,
  loaded: LoadedRun,
  tap: OpenTap,
  signal: AbortSignal,
): Promise<number> {
  const { tenantId, runId, connector, definition } = loaded;
  const { em, tables } = tableServices;
  const edges = (connector.traversal?.edges ?? []).filter(({ to }) => to === definition.name);
  await runTenantTransaction(em, tables, tenantId, (tx) => deleteSlices(tx.em, loaded));
  let total = 0;
  const insert = async (scopes: readonly SliceScope[]): Promise<void> => {
    signal.throwIfAborted();
    await runTenantTransaction(em, tables, tenantId, async (tx) => {
      const partitions = scopes.map(({ variables }) => partitionOf(variables));
      const states = await readTapStates(tx.read, loaded, partitions);
      const slices = scopes.flatMap((scope, at) =>
        windowsOf(loaded, states.get(partitions[at] as string)?.time).map((window) => ({ ...scope, ...window })),
      );
      for (let from = 0; from < slices.length; from += INSERT_BATCH)
        await insertSlices(tx.em, loaded, slices.slice(from, from + INSERT_BATCH), total + from);
      total += slices.length;
    });
  };
  let leftOut = 0;
  if (edges.length === 0) await insert(tap.rootScopes());
  for (const edge of edges) leftOut += await childScopes(tableServices, loaded, edge, { take: insert, signal });
  await runTenantTransaction(em, tables, tenantId, (tx) =>
    tx.em.execute(SAVE_PLAN, [total, leftOut, decodeId(tenantId), decodeId(runId)]),
  );
  return total;
}

/** The time windows from the saved cursor, or from the start of a first read, to the end of the run. */
function windowsOf(
  { definition: { sync }, run }: LoadedRun,
  cursor: number | undefined,
): Pick<PlannedSlice, 'since' | 'until'>[] {
  if (sync.mode !== 'incremental') return [{}];
  const until = new Date(run.runUntil).getTime();
  const { maxLookbackDays } = sync;
  const since = cursor ?? (maxLookbackDays == null ? undefined : until - maxLookbackDays * DAY_MS);
  if (since === undefined) return [{ until: new Date(until) }];
  const windows = splitWindow(since, until, sync.incrementalParams);
  return windows.map((window) => ({ since: new Date(window.since), until: new Date(window.until) }));
}
