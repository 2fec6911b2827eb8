import { looksAhead } from '../../catalog/model/lookahead.js';
import { isMergedMode } from '../../catalog/model/table-mode.js';
import { Semaphore } from '../../kernel/concurrency/semaphore.js';
import { inSpan } from '../../kernel/tracing.js';
import type { PageRead } from '../reading/page-read.js';
import type { CompletedRecord } from '../responses/complete-record.js';
import type { LoadedRun } from '../runs/load-run.js';
import { inWorkspace, type OpenTap, type SyncServices } from '../runs/sync-services.js';
import { stepMs } from '../runs/sync-step-job.js';
import { partitionOf, readTapStates } from '../runs/tap-states.js';
import type { SavedCursor } from '../saved-cursor.js';
import { SeenRecords } from '../seen-records.js';
import type { PlannedSlices } from '../slices/plan-slices.js';
import { SliceQueue } from '../slices/slice-queue.js';
import { type OpenSlice, readOpenSlices } from '../slices/slice-rows.js';
import {
  halveNewPart,
  halvePart,
  isTimeout,
  moveTo,
  moveToNextPart,
  partOf,
  positionOf,
} from '../slices/window-part.js';
import { TapReadError } from '../tap-read-error.js';
import { CursorTracker, recordMarkOf, versionMarkOf } from './cursor-tracker.js';
import type { StagedPages } from './staged-pages.js';

/** `complete` means that no slice is open. `wait` means that the vendor requests a pause. */
export type StepEnd = { readonly kind: 'complete' | 'more' } | { readonly kind: 'wait'; readonly error: TapReadError };

/** A step ends after the page that reaches this size, or after `stepMs` and at least one page. */
const MAX_STAGED_BYTES = 64 * 2 ** 20;

/**
 * A part of a window is sparse if its number of records is at most this share of `maxRecords`. The next part is then
 * longer.
 */
const SPARSE = 0.25;

/**
 * Reads several partitions concurrently, with one page of each partition in memory. Reads the slices of a partition in
 * order.
 */
export class SliceReader {
  readonly changedSlices: OpenSlice[] = [];
  /**
   * Cursors of completely read slices, by partition. Undefined for an expired cursor. If the records are in the order
   * of the cursor, also contains the cursors of slices that were read in part.
   */
  readonly cursors = new Map<string, SavedCursor | undefined>();
  /** Versions of the parent records whose child records were read completely, by partition. */
  readonly parentVersions = new Map<string, string>();
  recordsRead = 0;
  bytesRead = 0;
  hasPages = false;
  finished = 0;
  readonly #endsAt: number;
  /** On the vendor's clock, in milliseconds since 1970. */
  readonly #runUntil: number;
  readonly #queue: SliceQueue;
  readonly #staging = new Semaphore(1);
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  #end: StepEnd | undefined;

  constructor(
    private readonly services: SyncServices,
    private readonly loaded: LoadedRun,
    private readonly tap: OpenTap,
    private readonly staged: StagedPages,
    signal: AbortSignal,
    attempt: number,
    /** Set only in the step that plans the run. */
    readonly plan?: PlannedSlices,
  ) {
    const read = (after: number, limit: number) =>
      inWorkspace(services, loaded, (tx) => readOpenSlices(tx.read, loaded, after, limit));
    this.#queue = new SliceQueue(read, plan?.first);
    this.#signal = AbortSignal.any([signal, this.#failed.signal]);
    this.#endsAt = performance.now() + stepMs(attempt);
    this.#runUntil = Number(plan?.runUntil ?? new Date(loaded.run.runUntil));
  }

  /** Throws `TapReadError` for failures that end the run. */
  async read(): Promise<StepEnd> {
    const readers = Array.from({ length: this.tap.concurrency }, () =>
      this.#readPartitions().catch((error: unknown) => {
        this.#failed.abort(error); // The other readers then throw the same error.
        throw error;
      }),
    );
    const [failure] = (await Promise.allSettled(readers)).filter(({ status }) => status === 'rejected');
    if (failure) throw this.#signal.reason ?? (failure as PromiseRejectedResult).reason;
    return this.#end ?? { kind: 'complete' };
  }

  async #readPartitions(): Promise<void> {
    for (;;) {
      const slices = await this.#queue.nextPartition();
      if (slices.length === 0) return;
      this.#signal.throwIfAborted();
      for (const slice of slices) {
        if (this.#isFull) return this.#endWith({ kind: 'more' });
        this.changedSlices.push(slice);
        const attributes = { 'taproot.slice': slice.ordinal };
        const end = await inSpan('sync.slice', { attributes }, () => this.#readSlice(slice));
        if (end) return this.#endWith(end);
        if (slice.state === 'skipped') this.#forgetParentVersion(slices);
      }
    }
  }

  #endWith(end: StepEnd): void {
    if (this.#end?.kind !== 'wait') this.#end = end;
  }

  get #isFull(): boolean {
    const isOver = performance.now() >= this.#endsAt && this.hasPages;
    return this.#end !== undefined || isOver || this.staged.bytes >= MAX_STAGED_BYTES;
  }

  /** Returns undefined if the slice was read completely or skipped. */
  async #readSlice(slice: OpenSlice): Promise<StepEnd | undefined> {
    for (;;) {
      try {
        if (await this.#readPages(slice)) return undefined;
        return { kind: 'more' };
      } catch (error) {
        if (!(error instanceof TapReadError)) throw error;
        if (error.action === 'wait') return { kind: 'wait', error };
        if (error.action === 'skip_slice') return this.#finish(slice, 'skipped');
        if (isTimeout(error) && slice.since && halveNewPart(slice)) continue;
        if (error.action === 'split_window' && halvePart(slice)) continue;
        if (error.action !== 'restart' || slice.since === undefined) throw error;
        this.#restart(slice);
      }
    }
  }

  async #readPages(slice: OpenSlice): Promise<boolean> {
    for (;;) {
      const records = await this.#readPart(slice);
      if (records === undefined) return false;
      const { maxRecords } = this.tap;
      const isLonger = maxRecords !== undefined && records <= maxRecords * SPARSE;
      if (!moveToNextPart(slice, { isLonger })) {
        this.#finish(slice, 'done');
        return true;
      }
      if (this.#isFull) return false;
    }
  }

  /**
   * Reads pages until the part ends or the step is full. Returns the number of records before the last page of the
   * part, or undefined if the part has further pages.
   */
  async #readPart(slice: OpenSlice): Promise<number | undefined> {
    if ((this.tap.readsAgain || this.#isNewestFirst(slice)) && !slice.pageToken?.seen)
      slice.pageToken = { ...slice.pageToken, seen: new SeenRecords() };
    const tracker = await this.#trackerOf(slice);
    const { variables, parentFields } = slice;
    const window = partOf(slice);
    const scope = { variables, parentFields, ...(window && { window }) };
    let records = positionOf(slice)?.records ?? 0;
    for await (const page of this.tap.readPages(scope, positionOf(slice), this.#signal)) {
      this.#signal.throwIfAborted();
      await this.#take(slice, page, tracker);
      if (page.isPartial) continue;
      if (!page.next) break;
      records = page.next.records ?? 0;
      if (this.#isFull) return undefined;
    }
    this.#signal.throwIfAborted();
    const cursor = this.#isBootstrap(slice) ? { time: this.#cursorLimitOf(slice), marks: {} } : tracker?.result();
    if (cursor) this.cursors.set(partitionOf(variables), cursor);
    return records;
  }

  /**
   * Returns whether the requests of `bootstrapTap` read the slice. These requests return all records, so the cursor is
   * the end of the run's time range.
   */
  #isBootstrap({ since, until }: OpenSlice): boolean {
    return this.loaded.definition.sync.bootstrapTap != null && until !== undefined && since === undefined;
  }

  /**
   * If several versions have the same time, a table that merges versions keeps the version that arrives last. If the
   * newest records come first, the oldest version arrives last.
   */
  #isNewestFirst(slice: OpenSlice): boolean {
    const { definition, run } = this.loaded;
    return definition.sync.sortOrder === 'descending' && isMergedMode(run.mode) && !this.#isBootstrap(slice);
  }

  #versionMarkOf(record: CompletedRecord): string {
    return looksAhead(this.loaded.definition.sync) ? recordMarkOf(record) : versionMarkOf(record);
  }

  async #take(slice: OpenSlice, page: PageRead, tracker: CursorTracker | undefined): Promise<void> {
    const { seen } = slice.pageToken ?? {};
    const isNew = (record: CompletedRecord): boolean =>
      !tracker?.observe(record) && (!seen || seen.add(this.#versionMarkOf(record), record.cursor));
    const records = page.records.filter(isNew);
    await this.#staging.run(() => this.staged.add(records, page));
    slice.recordsRead += page.records.length;
    const last = page.records.at(-1)?.cursor;
    if (last !== undefined && this.#isNewestFirst(slice) && !this.tap.readsAgain) seen?.forgetAfter(last);
    if (!page.isPartial) {
      moveTo(slice, page.next);
      slice.cursor = tracker?.result();
      const isOrdered = this.loaded.definition.sync.sortOrder === 'ascending' && !this.#isBootstrap(slice);
      // The records are in the order of the cursor, so the run has read all records before `slice.cursor`.
      if (slice.cursor && isOrdered) this.cursors.set(partitionOf(slice.variables), slice.cursor);
      this.hasPages = true;
    }
    this.recordsRead += page.records.length;
    this.bytesRead += page.bytes;
  }

  #finish(slice: OpenSlice, state: 'done' | 'skipped'): undefined {
    slice.state = state;
    if (state === 'done' && slice.parentVersion)
      this.parentVersions.set(partitionOf(slice.variables), slice.parentVersion);
    slice.pageToken = undefined;
    this.finished += 1;
  }

  /**
   * After a skipped slice, the read of the partition is incomplete, even if another step reads the remaining slices.
   */
  #forgetParentVersion(partition: readonly OpenSlice[]): void {
    for (const slice of partition.filter(({ state }) => state === 'open')) {
      slice.parentVersion = undefined;
      this.changedSlices.push(slice);
    }
  }

  /** Reads the slice again from the start of the data, because its cursor has expired. */
  #restart(slice: OpenSlice): void {
    slice.since = undefined;
    slice.pageToken = undefined;
    slice.cursor = undefined;
    this.cursors.set(partitionOf(slice.variables), undefined);
  }

  /** Maximum of the saved cursor. Records with later cursors can still change until the next run. */
  #cursorLimitOf({ until }: OpenSlice): number {
    return Math.min(Number(until), this.#runUntil);
  }

  async #trackerOf(slice: OpenSlice): Promise<CursorTracker | undefined> {
    if (!slice.until) return undefined;
    const partition = partitionOf(slice.variables);
    // A run of a time range ignores the saved cursor, because it must store known records again.
    const isKnown = this.cursors.has(partition) || this.loaded.run.rangeFrom != null;
    const before = isKnown ? this.cursors.get(partition) : await this.#savedCursor(partition);
    const { sync } = this.loaded.definition;
    return new CursorTracker(this.#cursorLimitOf(slice), before, slice.cursor ?? before, {
      lookbackMs: (sync.lookbackSeconds ?? 0) * 1_000,
      ...(looksAhead(sync) && { mark: recordMarkOf }),
    });
  }

  async #savedCursor(partition: string): Promise<SavedCursor | undefined> {
    const states = await inWorkspace(this.services, this.loaded, ({ read }) =>
      readTapStates(read, this.loaded, [partition]),
    );
    return states.get(partition);
  }
}
