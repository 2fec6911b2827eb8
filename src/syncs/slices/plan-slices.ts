import type { EntityManager } from '@mikro-orm/postgresql';
import { lookaheadMs } from '../../catalog/model/lookahead.js';
import { executePrepared } from '../../kernel/execute-prepared.js';
import { DAY_MS } from '../../kernel/formats/time-units.js';
import { decodeId } from '../../kernel/ids.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { isWholeRead } from '../is-whole-read.js';
import { splitWindow } from '../requests/split-window.js';
import type { LoadedRun } from '../runs/load-run.js';
import { inWorkspace, type OpenTap, type SyncServices } from '../runs/sync-services.js';
import { forgetTapStates, partitionOf, readTapStates } from '../runs/tap-states.js';
import type { SavedCursor } from '../saved-cursor.js';
import type { SliceScope } from '../tap-reading.js';
import type { ParentScope } from './parent-version.js';
import { deleteResumableSlices, readResumableSlices } from './resumable-slices.js';
import {
  clearOtherVersions,
  keepParentVersions,
  readComparableParents,
  readParentVersions,
} from './saved-parent-versions.js';
import { SLICES_PER_QUERY } from './slice-queue.js';
import {
  deleteSlices,
  insertSlices,
  type OpenSlice,
  type PlannedSlice,
  readOpenSlices,
  toUnsavedSlice,
} from './slice-rows.js';
import { tapScopes } from './tap-scopes.js';

export interface PlannedSlices {
  readonly total: number;
  readonly first: readonly OpenSlice[];
  /** End of the time range that the run reads (see `TapRun.runUntil`). */
  readonly runUntil: Date;
  /** If false, the first commit of the run stores the plan. */
  readonly isSaved: boolean;
  /** Whether the run, at its end, deletes the records of the table that it has not read. */
  readonly deletesAbsent: boolean;
}

const INSERT_BATCH = 1_000;

const SAVE_PLAN = `
update tap_run set slices_total = ?, left_out_parents = ?, run_until = ?, deletes_absent = ? where tenant_id = ? and id = ? and slices_total is null`;

/**
 * Plans one slice per combination of parent record, fan-out item and time window. Omits the children of unchanged
 * parents. Saves the plan in these cases:
 * - The tap has parents.
 * - The run is a resync.
 * - An earlier run has left slices.
 * - The plan has at least `SLICES_PER_QUERY` slices.
 *
 * Otherwise, the first step usually reads all slices, and its commit saves only the slices that remain. Throws
 * `TapReadError`.
 */
export async function planSlices(
  services: SyncServices,
  started: LoadedRun,
  tap: OpenTap,
  signal: AbortSignal,
): Promise<PlannedSlices> {
  const loaded = await onVendorClock(started, tap);
  const hasParents = Boolean(loaded.connector.traversal?.edges?.some(({ to }) => to === loaded.definition.name));
  const plan = new SlicePlan(loaded, tap, hasParents || loaded.run.isResync);
  const planAll = (comparable: ReadonlySet<string>, add: (scopes: readonly ParentScope[]) => Promise<void>) => {
    const take = (scopes: readonly ParentScope[]): Promise<void> => {
      signal.throwIfAborted();
      return add(scopes);
    };
    return tapScopes(services.tableServices, loaded, tap, { take, comparable, signal });
  };
  if (!hasParents)
    return inWorkspace(services, loaded, async (tx) => {
      const comparable = await plan.begin(tx);
      return plan.end(tx, await planAll(comparable, (scopes) => plan.add(tx, scopes)));
    });
  // Reading the parents takes a long time, so each batch has its own transaction.
  const comparable = await inWorkspace(services, loaded, (tx) => plan.begin(tx));
  const leftOut = await planAll(comparable, (scopes) => inWorkspace(services, loaded, (tx) => plan.add(tx, scopes)));
  return inWorkspace(services, loaded, (tx) => plan.end(tx, leftOut));
}

class SlicePlan {
  #resumable: ReadonlyMap<string, OpenSlice> = new Map();
  #comparable: ReadonlySet<string> = new Set();
  #total = 0;
  /** All slices. Undefined as soon as they are saved. */
  #unsaved: PlannedSlice[] | undefined;

  constructor(
    private readonly loaded: LoadedRun,
    private readonly tap: OpenTap,
    isSaved: boolean,
  ) {
    if (!isSaved) this.#unsaved = [];
  }

  async begin({ em, read }: TenantTransaction): Promise<ReadonlySet<string>> {
    const { run } = this.loaded;
    const isRange = run.rangeFrom != null;
    const hasWindows = this.loaded.definition.sync.mode === 'incremental';
    if (hasWindows && !isRange && !run.isResync && this.tap.keepsPositions)
      this.#resumable = await readResumableSlices(read, this.loaded);
    // Saves the plan immediately. A run that then fails before its first commit deletes the positions of the earlier
    // run, because they may be the cause of the failure.
    if (this.#resumable.size > 0) this.#unsaved = undefined;
    if (!this.#unsaved) await deleteSlices(em, this.loaded);
    // Deletes all cursors at once, so that the next run reads the remaining partitions from the start if this run ends
    // early.
    if (run.isResync) await forgetTapStates(em, this.loaded);
    if (!isRange) this.#comparable = await readComparableParents(read, this.loaded);
    return this.#comparable;
  }

  async add({ em, read }: TenantTransaction, scopes: readonly ParentScope[]): Promise<void> {
    const { loaded } = this;
    const partitions = scopes.map(({ variables }) => partitionOf(variables));
    const hasCursors = loaded.definition.sync.mode === 'incremental';
    const states = hasCursors ? await readTapStates(read, loaded, partitions) : new Map<string, SavedCursor>();
    const versions =
      this.#comparable.size > 0 ? await readParentVersions(read, loaded, partitions) : new Map<string, string>();
    const unchanged: string[] = [];
    const slices = scopes.flatMap(({ parentVersion, ...scope }, at) => {
      const partition = partitions[at] as string;
      const begun = this.#resumable.get(partition);
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
    await keepParentVersions(em, loaded, unchanged);
    if (!this.#unsaved) await this.#insert(em, slices, this.#total);
    else await this.#keep(em, [...this.#unsaved, ...slices]);
    this.#total += slices.length;
  }

  async end({ em, read }: TenantTransaction, leftOut: number): Promise<PlannedSlices> {
    const { tenantId, runId, run } = this.loaded;
    const deletesAbsent = isWholeRead(this.loaded) && leftOut === 0;
    const plan = { total: this.#total, runUntil: new Date(run.runUntil), deletesAbsent };
    if (this.#unsaved) return { ...plan, first: this.#unsaved.map(toUnsavedSlice), isSaved: false };
    const ids = [tenantId, runId].map(decodeId);
    await executePrepared(em, SAVE_PLAN, [this.#total, leftOut, run.runUntil, deletesAbsent, ...ids]);
    if (run.rangeFrom == null) await deleteResumableSlices(em, this.loaded);
    if (this.#comparable.size > 0) await clearOtherVersions(em, this.loaded);
    const first = await readOpenSlices(read, this.loaded, -1, SLICES_PER_QUERY);
    return { ...plan, first, isSaved: true };
  }

  /** Saves the slices immediately if there are too many for the first commit. */
  async #keep(em: EntityManager, slices: PlannedSlice[]): Promise<void> {
    const isSmall = slices.length < SLICES_PER_QUERY;
    this.#unsaved = isSmall ? slices : undefined;
    if (isSmall) return;
    await deleteSlices(em, this.loaded);
    await this.#insert(em, slices, 0);
  }

  async #insert(em: EntityManager, slices: readonly PlannedSlice[], firstOrdinal: number): Promise<void> {
    for (let from = 0; from < slices.length; from += INSERT_BATCH)
      await insertSlices(em, this.loaded, slices.slice(from, from + INSERT_BATCH), firstOrdinal + from);
  }
}

/** Converts `runUntil` to the clock of the vendor, because the vendor compares the times of windows with this clock. */
async function onVendorClock(loaded: LoadedRun, tap: OpenTap): Promise<LoadedRun> {
  const isCurrent = loaded.definition.sync.mode === 'incremental' && loaded.run.rangeFrom == null;
  const offsetMs = isCurrent ? await tap.clockOffsetMs() : 0;
  if (offsetMs === 0) return loaded;
  const runUntil = new Date(new Date(loaded.run.runUntil).getTime() + offsetMs);
  return { ...loaded, run: overrideRow(loaded.run, { runUntil }) };
}

/**
 * The first window starts at the start of the time range. Without a time range, it starts `lookbackSeconds` before the
 * cursor. If the cursor is missing or older than `maxCursorAgeDays`, the window starts `maxLookbackDays` before
 * `runUntil`. Without `maxLookbackDays`, such a window has no start. A window that an earlier run has read in part
 * (`begun`) comes first.
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
  const { maxLookbackDays, lookbackSeconds = 0, maxCursorAgeDays } = sync;
  const now = new Date(run.runUntil).getTime();
  const isKept = cursor !== undefined && (maxCursorAgeDays == null || cursor >= now - maxCursorAgeDays * DAY_MS);
  const since =
    (run.rangeFrom == null ? undefined : new Date(run.rangeFrom).getTime()) ??
    (isKept ? cursor - lookbackSeconds * 1_000 : undefined) ??
    (maxLookbackDays == null ? undefined : now - maxLookbackDays * DAY_MS);
  if (since === undefined) return [{ until: new Date(until) }];
  const windows = splitWindow(since, until, sync.incrementalParams);
  return windows.map((window) => ({ since: new Date(window.since), until: new Date(window.until) }));
}
