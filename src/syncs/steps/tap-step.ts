import { isMergedMode } from '../../catalog/model/table-mode.js';
import { newId } from '../../kernel/ids.js';
import type { RunningJob } from '../../kernel/jobs/job-queue.js';
import { type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { commitTableFiles } from '../../tables/files/commit-table-files.js';
import { discardOnFailure } from '../../tables/files/discard-table-files.js';
import { keepGenerationFiles } from '../../tables/files/generation-files.js';
import type { TableLease } from '../../tables/files/table-lease.js';
import type { TableFileTarget } from '../../tables/files/upload-table-file.js';
import { type AbsentRecords, findAbsentRecords, NONE_ABSENT } from '../../tables/merge/absent-records.js';
import { withMergedFiles } from '../../tables/merge/merge-into-table.js';
import { NO_SWAP, planSwap, type Swap } from '../../tables/merge/plan-swap.js';
import type { GateDecision, IncomingRows, RowGate } from '../../tables/table-hooks.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { WrittenFile } from '../../tables/written-file.js';
import { HeldRows, RejectedRows } from '../held/rejected-rows.js';
import { recordRequestSpan } from '../reading/request-span.js';
import type { RequestTrace } from '../reading/request-trace.js';
import { fedRecord, identifyFedRecord } from '../responses/fed-record.js';
import { identifyRecord } from '../responses/identify-record.js';
import { addCounts, NO_COUNTS, type RunCounts } from '../run-counts.js';
import type { LoadedRun } from '../runs/load-run.js';
import { inWorkspace, type SyncServices } from '../runs/sync-services.js';
import { saveTapStates } from '../runs/tap-states.js';
import { planSlices } from '../slices/plan-slices.js';
import { saveParentVersions } from '../slices/saved-parent-versions.js';
import { requestEnded, stepEnded, stepStarted } from '../sync-events.js';
import type { TapRunStepOutcome } from '../tap-run-timeline.js';
import type { StepTarget } from './begin-step.js';
import { commitStep, hasSkipped, OUTCOMES } from './commit-step.js';
import { SliceReader, type StepEnd } from './slice-reader.js';
import { StagedPages } from './staged-pages.js';
import { type StepEnding, StepLog } from './step-log.js';
import { StepProgress } from './step-progress.js';

interface StepFiles {
  readonly added: readonly WrittenFile[];
  readonly schema: TableSchema | undefined;
  readonly swap: Swap;
  readonly isSwap: boolean;
  readonly absent: AbsentRecords;
  readonly keys: readonly WrittenFile[];
  readonly counts: RunCounts;
}

/** The caller must hold the lease of the table. */
export class TapStep {
  readonly #log = new StepLog();
  /** The counts that the log contains if the step fails. */
  #lost: RunCounts = NO_COUNTS;
  /** 0 until the number is known. */
  #slicesLeft = 0;
  #deletesAbsent = false;

  constructor(
    private readonly services: SyncServices,
    private readonly loaded: LoadedRun,
    private readonly target: StepTarget,
    private readonly lease: TableLease,
    private readonly job: RunningJob,
  ) {}

  /**
   * Throws `TapReadError`, `RejectedRows` and `StorageQuotaExceededError`, and `RunEnded` if a user has cancelled the
   * run.
   */
  async run(): Promise<void> {
    const { tableServices } = this.services;
    const { feed, drift } = this.loaded;
    const recordOf = feed && fedRecord.bind(undefined, feed);
    const staged = new StagedPages(tableServices, {
      ...{ ...this.lease, ...this.target, identify: this.#identify, recordOf, drift },
    });
    let reader: SliceReader | undefined;
    const progress = new StepProgress(tableServices, this.loaded, () => this.#counts(staged, reader));
    const signal = AbortSignal.any([this.job.signal, this.lease.signal, progress.signal]);
    try {
      reader = await this.#open(staged, signal);
      const end = await reader.read();
      await progress.end();
      signal.throwIfAborted();
      await this.#commit(staged, reader, end, signal);
      this.#publishEnd(OUTCOMES[end.kind], this.#counts(staged, reader));
    } catch (error) {
      this.#lost = { ...this.#counts(staged, reader), recordsWritten: 0, recordsRejected: 0, slicesDone: 0 };
      if (!(error instanceof HeldRows)) await staged.discard();
      progress.signal.throwIfAborted(); // The reader may have thrown another error because of the abort.
      throw error;
    } finally {
      await progress.end();
      await staged.close();
    }
  }

  async recordFailure(failure: StepEnding): Promise<void> {
    const entry = { counts: this.#lost, ...failure };
    this.#publishEnd(failure.outcome, NO_COUNTS);
    // A lost database connection may be the cause of the failure, so an error here must not hide the failure.
    await inWorkspace(this.services, this.loaded, ({ em }) => this.#log.save(em, this.loaded, entry)).catch(
      () => undefined,
    );
  }

  #publishEnd(outcome: TapRunStepOutcome, counts: RunCounts): void {
    const { run, vendorSlug: vendor } = this.loaded;
    stepEnded.publish({ vendor, mode: run.mode, outcome, counts, slicesLeft: this.#slicesLeft });
  }

  #counts(staged: StagedPages, reader: SliceReader | undefined): RunCounts {
    const { recordsRead = 0, bytesRead = 0, finished: slicesDone = 0 } = reader ?? {};
    return { recordsRead, bytesRead, requests: this.#log.requests, slicesDone, ...staged.counts };
  }

  async #open(staged: StagedPages, signal: AbortSignal): Promise<SliceReader> {
    const { tenantId, instanceId, definition: tap, revision, run } = this.loaded;
    const { vendorSlug: vendor } = this.loaded;
    const onRequest = (trace: RequestTrace): void => {
      this.#log.add(trace);
      requestEnded.publish({ vendor, trace });
      recordRequestSpan(trace);
    };
    const opened = await this.services.openTap(
      { tenantId, instanceId, tap, revision, requestId: this.job.id, onRequest },
      signal,
    );
    const plan = run.slicesTotal == null ? await planSlices(this.services, this.loaded, opened, signal) : undefined;
    this.#slicesLeft = (plan?.total ?? run.slicesTotal ?? 0) - run.slicesDone;
    stepStarted.publish({ vendor, slicesLeft: this.#slicesLeft });
    this.#deletesAbsent = plan?.deletesAbsent ?? run.deletesAbsent;
    staged.keepsKeys = this.#deletesAbsent;
    const attempt = this.job.attempt + run.failedAttempts;
    return new SliceReader(this.services, this.loaded, opened, staged, signal, attempt, plan);
  }

  async #commit(staged: StagedPages, reader: SliceReader, end: StepEnd, signal: AbortSignal): Promise<void> {
    const added = await staged.write();
    const schema = staged.newSchema;
    const isSwap = this.loaded.run.mode === 'replace' && end.kind === 'complete';
    const swap = isSwap ? await this.#planSwap(schema, signal) : NO_SWAP;
    const keys = await staged.writeKeys();
    const isWhole = this.#deletesAbsent && end.kind === 'complete' && !hasSkipped(reader.changedSlices);
    const absent = isWhole ? await this.#findAbsent(keys, schema, signal) : NONE_ABSENT;
    staged.discardLater(absent.deletions);
    const files = { added, schema, swap, isSwap, absent, keys, counts: this.#counts(staged, reader) };
    await discardOnFailure(this.services.tableServices, this.lease, swap.pushed, () =>
      this.#commitFiles(files, reader, end, signal),
    );
  }

  #findAbsent(
    keys: readonly WrittenFile[],
    schema: TableSchema | undefined,
    signal: AbortSignal,
  ): Promise<AbsentRecords> {
    const { run, runId: generation } = this.loaded;
    const startedAt = new Date(run.startedAt ?? run.createdAt);
    const read = { generation, keys, startedAt, isHistory: run.mode === 'history', signal };
    return findAbsentRecords(this.services.tableServices, this.#fileTarget(schema), read);
  }

  async #commitFiles(
    { added, schema, swap: { earlier, replaced, pushed }, isSwap, absent, keys, counts }: StepFiles,
    reader: SliceReader,
    end: StepEnd,
    signal: AbortSignal,
  ): Promise<void> {
    const { schema: before, gate } = this.target;
    const { run, mode: next, deletedRows } = this.loaded;
    const files = [...earlier, ...added, ...pushed];
    const { deletions, missing } = absent;
    const hasRows = files.length + deletions.length > 0;
    const isChecked = run.mode === 'replace' ? isSwap : hasRows || this.#isEmptyRun(end, counts);
    const decision = isChecked
      ? await this.#check(gate, { files, replaced, missingRecords: missing, schema: schema ?? before, signal }, (tx) =>
          this.#hold(tx, reader, [...added, ...deletions, ...keys], schema),
        )
      : undefined;
    signal.throwIfAborted();
    const step = {
      ...{
        lease: this.lease,
        requestId: this.job.id,
        added,
        files,
        replaced: replaced.map(({ id }) => id),
        end,
        schema,
      },
      ...{ slices: reader.changedSlices, plan: reader.plan, cursors: reader.cursors, decision, keys },
      parentVersions: reader.parentVersions,
      ...{ counts, hasPages: reader.hasPages, log: this.#log },
    };
    const { tableServices } = this.services;
    const mode = isSwap ? next : run.mode;
    if (!isMergedMode(mode)) return commitStep(tableServices, this.loaded, step);
    const options = { mode, deletedRows, isDue: end.kind === 'complete', isReplacement: isSwap, signal };
    await withMergedFiles(tableServices, this.#fileTarget(schema), [...files, ...deletions], options, (change) =>
      commitStep(tableServices, this.loaded, {
        ...step,
        ...(isSwap ? { files: change.added, hasHistory: change.hasHistory } : change),
      }),
    );
  }

  #planSwap(schema: TableSchema | undefined, signal: AbortSignal): Promise<Swap> {
    const { run, runId: generation, definition } = this.loaded;
    const isKeyed = this.#identify !== undefined;
    const isWhole = definition.sync.mode === 'full' && !isKeyed;
    const keepsPushedSince = isWhole ? undefined : new Date(run.startedAt ?? run.createdAt);
    const options = { generation, keepsPushedSince, isKeyed, signal };
    return planSwap(this.services.tableServices, this.#fileTarget(schema), options);
  }

  #fileTarget(schema: TableSchema | undefined): TableFileTarget {
    const { tenantId, tableId } = this.lease;
    const schemaVersion = this.target.schemaVersion + (schema ? 1 : 0);
    return { tenantId, tableId, schemaVersion, enforcesQuota: true };
  }

  get #identify(): ConstructorParameters<typeof StagedPages>[1]['identify'] {
    const { run, mode, definition } = this.loaded;
    // The mode of the tap may have changed since the start of the run.
    if (run.mode === 'append' || (run.mode === 'replace' && !isMergedMode(mode))) return undefined;
    const { feed } = this.loaded;
    if (feed) return ({ record }, time) => identifyFedRecord(feed, record, time);
    return identifyRecord.bind(undefined, definition);
  }

  /** The gate also checks an empty run, so that control charts contain it. */
  #isEmptyRun({ kind }: StepEnd, counts: RunCounts): boolean {
    const { recordsWritten, recordsRejected } = addCounts(this.loaded.run.committed, counts);
    return kind === 'complete' && recordsWritten + recordsRejected === 0;
  }

  /** The gate checks a replacement as a whole, at the end of the run. */
  async #check(
    gate: RowGate,
    {
      replaced,
      ...rows
    }: Pick<IncomingRows, 'files' | 'missingRecords' | 'schema' | 'signal'> & {
      readonly replaced: readonly WrittenFile[];
    },
    hold: HeldRows['hold'],
  ): Promise<GateDecision> {
    const { tenantId, tableId, run, runId } = this.loaded;
    const { attempt } = this.job;
    const ofRun =
      run.mode === 'replace' ? { runId, replaced: replaced.filter(({ kind }) => kind === 'data') } : { runId: newId() };
    const decision = await gate.check({ tenantId, tableId, ...ofRun, ...rows, attempt });
    if (decision.rejectionReason === undefined) return decision;
    await inWorkspace(this.services, this.loaded, (tx) => decision.save(tx));
    if (decision.canBeAccepted && (run.mode === 'replace' || this.#deletesAbsent))
      throw new HeldRows(`The quality gate of the table holds the rows: ${decision.rejectionReason}`, hold);
    throw new RejectedRows(`The quality gate of the table rejects the rows: ${decision.rejectionReason}`);
  }

  /**
   * Also saves the cursors, because the next sync continues from them if a user accepts the rows. If the user discards
   * the rows, the next sync reads the tap from the start.
   */
  async #hold(
    tx: TenantTransaction,
    reader: SliceReader,
    added: readonly WrittenFile[],
    schema: TableSchema | undefined,
  ): Promise<void> {
    const cause = { kind: 'sync', tapRunId: this.loaded.runId } as const;
    await commitTableFiles(tx, this.lease, { added: [], cause, ...(schema && { schema }) });
    await keepGenerationFiles(tx.em, this.#generation, added);
    await saveTapStates(tx.em, this.loaded, reader.cursors);
    await saveParentVersions(tx.em, this.loaded, reader.parentVersions);
  }

  get #generation() {
    const { tenantId, tableId, runId } = this.loaded;
    return { tenantId, tableId, generation: runId };
  }
}
