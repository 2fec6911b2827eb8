import { decodeId } from '../../kernel/ids.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { lookaheadMs } from '../lookahead.js';
import { splitWindow } from '../requests/split-window.js';
import type { SavedCursor } from '../saved-cursor.js';
import type { SliceScope } from '../tap-reading.js';
import type { LoadedRun } from './load-run.js';
import type { ParentScope } from './parent-version.js';
import { deleteResumableSlices, readResumableSlices } from './resumable-slices.js';
import {
  clearOtherVersions,
  keepParentVersions,
  readComparableParents,
  readParentVersions,
} from './saved-parent-versions.js';
import { deleteSlices, insertSlices, type OpenSlice, type PlannedSlice } from './slice-rows.js';
import type { OpenTap, SyncServices } from './sync-services.js';
import { tapScopes } from './tap-scopes.js';
import { partitionOf, readTapStates, saveTapStates } from './tap-states.js';

/** Slices inserted per statement. */
const INSERT_BATCH = 1_000;

const DAY_MS = 86_400_000;

const SAVE_PLAN = `
update tap_run set slices_total = ?, left_out_parents = ?, run_until = ? where tenant_id = ? and id = ? and slices_total is null`;

/**
 * Plans the slices of a run: one per parent record and item of a fan-out, and per time window, without the children of
 * unchanged parents. A plan that was interrupted starts again. Throws `TapReadError`. Returns the number of slices.
 */
export async function planSlices(
  { tableServices }: SyncServices,
  started: LoadedRun,
  tap: OpenTap,
  signal: AbortSignal,
): Promise<number> {
  const loaded = await onVendorClock(started, tap);
  const { tenantId, runId, run } = loaded;
  const isRange = run.rangeFrom != null;
  const continues = !isRange && !run.isResync;
  const { em, tables } = tableServices;
  const { resumable, comparable } = await runTenantTransaction(em, tables, tenantId, async (tx) => {
    await deleteSlices(tx.em, loaded);
    const isResumed = continues && tap.keepsPositions;
    return {
      resumable: isResumed ? await readResumableSlices(tx.read, loaded) : new Map<string, OpenSlice>(),
      comparable: isRange ? new Set<string>() : await readComparableParents(tx.read, loaded),
    };
  });
  let total = 0;
  const insert = async (scopes: readonly ParentScope[]): Promise<void> => {
    signal.throwIfAborted();
    await runTenantTransaction(em, tables, tenantId, async (tx) => {
      const partitions = scopes.map(({ variables }) => partitionOf(variables));
      if (run.isResync)
        await saveTapStates(tx.em, loaded, new Map(partitions.map((partition) => [partition, undefined])));
      const hasCursors = loaded.definition.sync.mode === 'incremental';
      const states = hasCursors ? await readTapStates(tx.read, loaded, partitions) : new Map<string, SavedCursor>();
      const versions =
        comparable.size > 0 ? await readParentVersions(tx.read, loaded, partitions) : new Map<string, string>();
      const unchanged: string[] = [];
      const slices = scopes.flatMap(({ parentVersion, ...scope }, at) => {
        const partition = partitions[at] as string;
        const begun = resumable.get(partition);
        if (parentVersion && !begun && versions.get(partition) === parentVersion) {
          unchanged.push(partition);
          return [];
        }
        const windows = windowsOf(loaded, states.get(partition)?.time, begun);
        return windows.map((window, nth) => ({
          ...{ ...scope, ...window },
          ...(nth === windows.length - 1 && { parentVersion }),
        }));
      });
      await keepParentVersions(tx.em, loaded, unchanged);
      for (let from = 0; from < slices.length; from += INSERT_BATCH)
        await insertSlices(tx.em, loaded, slices.slice(from, from + INSERT_BATCH), total + from);
      total += slices.length;
    });
  };
  const leftOut = await tapScopes(tableServices, loaded, tap, { take: insert, comparable, signal });
  await runTenantTransaction(em, tables, tenantId, async (tx) => {
    await tx.em.execute(SAVE_PLAN, [total, leftOut, run.runUntil, decodeId(tenantId), decodeId(runId)]);
    if (!isRange) await deleteResumableSlices(tx.em, loaded);
    if (comparable.size > 0) await clearOtherVersions(tx.em, loaded);
  });
  return total;
}

/** The run with an end on the clock of the vendor: the vendor compares the times of windows with its own clock. */
async function onVendorClock(loaded: LoadedRun, tap: OpenTap): Promise<LoadedRun> {
  const isCurrent = loaded.definition.sync.mode === 'incremental' && loaded.run.rangeFrom == null;
  const offsetMs = isCurrent ? await tap.clockOffsetMs() : 0;
  if (offsetMs === 0) return loaded;
  const runUntil = new Date(new Date(loaded.run.runUntil).getTime() + offsetMs);
  return { ...loaded, run: overrideRow(loaded.run, { runUntil }) };
}

/**
 * The time windows from the start of the time range, from the saved cursor, or from the start of a first read, to the
 * end of the run. If an earlier run has read a window in part (`begun`), they start after that window.
 */
function windowsOf(
  loaded: LoadedRun,
  cursor: number | undefined,
  begun?: OpenSlice,
): Omit<PlannedSlice, keyof SliceScope>[] {
  const { definition, run } = loaded;
  const { sync } = definition;
  if (sync.mode !== 'incremental') return [{}];
  const until = new Date(run.runUntil).getTime() + (run.rangeFrom == null ? lookaheadMs(sync) : 0);
  if (begun?.until) {
    const { since, until: end, pageToken, cursor: soFar } = begun;
    const rest = end.getTime() < until ? windowsOf(loaded, end.getTime()) : [];
    return [{ since, until: end, pageToken, cursor: soFar }, ...rest];
  }
  const { maxLookbackDays, lookbackSeconds = 0 } = sync;
  const since =
    (run.rangeFrom == null ? undefined : new Date(run.rangeFrom).getTime()) ??
    (cursor === undefined ? undefined : cursor - lookbackSeconds * 1_000) ??
    (maxLookbackDays == null ? undefined : new Date(run.runUntil).getTime() - maxLookbackDays * DAY_MS);
  if (since === undefined) return [{ until: new Date(until) }];
  const windows = splitWindow(since, until, sync.incrementalParams);
  return windows.map((window) => ({ since: new Date(window.since), until: new Date(window.until) }));
}
