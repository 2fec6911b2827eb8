import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { markSenderVerified } from '../instances/credentials/sender-verification.js';
import { LeaseLost } from '../kernel/concurrency/lease.js';
import { encodeId, newId } from '../kernel/ids.js';
import type { RunningJob } from '../kernel/jobs/job-queue.js';
import type { Reader } from '../kernel/reading/reader.js';
import { runTenantTransaction } from '../kernel/reading/tenant-transaction.js';
import { commitTableFiles, type TableChange } from '../tables/files/commit-table-files.js';
import { discardOnFailure, discardTableFiles } from '../tables/files/discard-table-files.js';
import type { TableLease } from '../tables/files/table-lease.js';
import { writeTableFiles } from '../tables/files/write-table-files.js';
import { withMergedFiles } from '../tables/merge/merge-into-table.js';
import { evolveSchema, rejectRecords, stageRecords } from '../tables/records/stage-records.js';
import { StagingArea } from '../tables/staging/staging-area.js';
import type { TableServices } from '../tables/table-context.js';
import type { GateDecision } from '../tables/table-hooks.js';
import { type TableSchema, withRecordColumns } from '../tables/table-schema.js';
import type { WrittenFile } from '../tables/written-file.js';
import { addStorageUsage } from '../tenancy/storage-quota.js';
import { systemCaller, writeAsCaller } from '../tenancy/workspace-transaction.js';
import { type FlushTarget, readFlushTarget } from './flush-target.js';
import { pageBatches } from './page-batches.js';
import {
  type BatchWithRecords,
  MAX_LISTED_BATCHES,
  type PendingBatch,
  type PendingBatches,
} from './pending-batches.js';
import { isRecordFault } from './record-fault.js';
import { addBatches, firstBatchWithColumns, type StagedBatches, type WrittenBatches } from './staged-batches.js';

const MAX_COMMIT_BYTES = 256 * 1024 * 1024;

/** Limits of one transaction. */
const MAX_REJECTED_BATCHES = 100;
const MAX_REJECTED_BYTES = 16 * 1024 * 1024;

const MAX_PRUNED_DELIVERIES = 50_000;

/**
 * From this attempt of the job on, the flusher isolates a failing batch by bisection, so that this batch does not block
 * the other batches.
 */
const ISOLATE_FROM_ATTEMPT = 5;

const POISON_REASON = 'the service could not load the batch of this record into the table';

interface RejectedBatch {
  readonly batch: PendingBatch;
  readonly decision: GateDecision;
}

/** Loads the pending batches of a tap into its table. The caller holds the lease of the table. */
export class BatchFlusher {
  readonly #stop: AbortSignal;
  /** Consecutive rejected batches. They share a commit, because a commit per batch would be slow. */
  #rejected: RejectedBatch[] = [];
  /** Cached until the next commit, which may change the schema. */
  #target: FlushTarget | undefined;

  constructor(
    private readonly services: TableServices,
    private readonly lease: TableLease,
    private readonly pending: PendingBatches,
    private readonly job: RunningJob,
  ) {
    this.#stop = AbortSignal.any([job.signal, lease.signal]);
  }

  /**
   * Flushes only the batches that are pending at the time of the call. Another job flushes later batches. If this call
   * also flushed them, steady traffic would create many tiny files.
   */
  async flushAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const list = await this.#read((read) => this.pending.list(read));
      await this.#flush(list);
      await this.#commitRejected();
      isMore = list.length === MAX_LISTED_BATCHES;
    }
  }

  /**
   * Bisects the list if the gate rejects it. From attempt `ISOLATE_FROM_ATTEMPT` on, also bisects it if the write
   * fails.
   */
  async #flush(list: readonly PendingBatch[]): Promise<void> {
    for (let rest = list; rest.length > 0; ) {
      const table = await this.#table();
      const written = await this.#orFault(() => this.#write(rest, table));
      if ('fault' in written) {
        const half = Math.floor(rest.length / 2);
        if (half === 0) await this.#rejectPoison(rest, written.fault);
        else await this.#flush(rest.slice(0, half));
        rest = rest.slice(half || 1);
        continue;
      }
      const rejected = await this.#load(written, table);
      const { length } = written.staged.batches;
      if (rejected) await this.#flushHalves(rest.slice(0, length), rejected);
      rest = rest.slice(length);
    }
  }

  async #flushHalves(list: readonly PendingBatch[], decision: GateDecision): Promise<void> {
    const [batch] = list;
    if (batch && list.length === 1) return this.#addRejected({ batch, decision });
    const half = Math.floor(list.length / 2);
    await this.#flush(list.slice(0, half));
    await this.#flush(list.slice(half));
  }

  get #isolatesBatches(): boolean {
    return this.job.attempt >= ISOLATE_FROM_ATTEMPT;
  }

  async #orFault<Result>(write: () => Promise<Result>): Promise<Result | { readonly fault: unknown }> {
    try {
      return await write();
    } catch (fault) {
      if (!this.#isolatesBatches || this.#stop.aborted || !isRecordFault(fault)) throw fault;
      return { fault };
    }
  }

  /** If the quality gate checks each batch separately, writes only the first batch. */
  async #write(list: readonly PendingBatch[], table: FlushTarget): Promise<WrittenBatches> {
    const staged = await this.#stage(table.gate.checksEachBatch ? list.slice(0, 1) : list, table);
    return { staged, added: await this.#writeFiles(staged, table) };
  }

  /** If the gate rejects the rows, discards the files and returns the gate's decision. */
  async #load({ staged, added }: WrittenBatches, table: FlushTarget): Promise<GateDecision | undefined> {
    const { tenantId, tableId } = this.lease;
    const { schema } = staged;
    return discardOnFailure(this.services, this.lease, added, async () => {
      this.#stop.throwIfAborted();
      const { attempt } = this.job;
      const incoming = { tenantId, tableId, runId: newId(), files: added, schema, attempt, signal: this.#stop };
      const decision = await table.gate.check(incoming);
      this.#stop.throwIfAborted();
      if (decision.rejectionReason !== undefined) {
        await discardTableFiles(this.services, incoming, added);
        return decision;
      }
      await this.#commitRejected(); // Earlier batches must be committed first, to keep the order of arrival.
      const columns = schema !== table.schema && { schema };
      const schemaVersion = table.schemaVersion + (columns ? 1 : 0);
      const target = { tenantId, tableId, schemaVersion, enforcesQuota: false };
      const options = { mode: table.mode, deletedRows: table.deletedRows, signal: this.#stop };
      await withMergedFiles(this.services, target, added, options, (merge) =>
        this.#commit(staged, merge, { decisions: [decision], ...columns }),
      );
      return undefined;
    });
  }

  async #rejectPoison(list: readonly PendingBatch[], error: unknown): Promise<void> {
    this.services.report(error, this.job.id);
    const reject = (batches: readonly BatchWithRecords[], rows: StagingArea) =>
      rejectRecords(batches, POISON_REASON, rows);
    await this.#commitWritten(await this.#writeAsRejected(list, reject));
  }

  async #addRejected(batch: RejectedBatch): Promise<void> {
    this.#rejected.push(batch);
    const size = this.#rejected.reduce((sum, { batch }) => sum + batch.size, 0);
    // While the flusher isolates batches, it writes one batch at a time, so that a failure identifies its batch.
    const isEnough =
      this.#isolatesBatches || this.#rejected.length >= MAX_REJECTED_BATCHES || size >= MAX_REJECTED_BYTES;
    if (isEnough) await this.#commitRejected();
  }

  async #commitRejected(): Promise<void> {
    const rejected = this.#rejected;
    if (rejected.length === 0) return;
    this.#rejected = [];
    const list = rejected.map(({ batch }) => batch);
    const reasons = new Map(rejected.map(({ batch, decision }) => [batch.id, decision.rejectionReason]));
    const decisions = rejected.map(({ decision }) => decision);
    const { drift, identify, recordOf } = await this.#table();
    const reject = async (batches: readonly BatchWithRecords[], rows: StagingArea): Promise<void> => {
      for (const batch of batches)
        await stageRecords([batch], rows, { rejectionReason: reasons.get(batch.id), drift, identify, recordOf });
    };
    const written = await this.#orFault(() => this.#writeAsRejected(list, reject, { addsColumns: true }));
    if ('fault' in written) return this.#rejectPoison(list, written.fault);
    await this.#commitWritten(written, decisions);
  }

  async #writeAsRejected(
    list: readonly PendingBatch[],
    reject: (batches: readonly BatchWithRecords[], rows: StagingArea) => Promise<void>,
    { addsColumns = false } = {},
  ): Promise<WrittenBatches> {
    const table = await this.#table();
    const batches = await this.#read((read) => this.pending.loadRecords(read, list));
    const staged = await this.#open(
      addsColumns ? await evolveSchema(batches, table.schema, table.drift, table.recordOf) : table.schema,
    );
    try {
      await reject(batches, staged.rows);
      addBatches(staged, batches);
    } catch (failure) {
      await staged.rows.close();
      throw failure;
    }
    return { staged, added: await this.#writeFiles(staged, { ...table, schema: staged.schema }) };
  }

  async #commitWritten({ staged, added }: WrittenBatches, decisions: readonly GateDecision[] = []): Promise<void> {
    await discardOnFailure(this.services, this.lease, added, async () => {
      this.#stop.throwIfAborted();
      await this.#commit(staged, { added }, { decisions });
    });
  }

  async #table(): Promise<FlushTarget> {
    this.#target ??= await this.#read((read) =>
      readFlushTarget(read, this.services.hooks, this.lease.tableId, this.pending.tapId),
    );
    return this.#target;
  }

  /**
   * Stages batches in order, page by page. Stops when the size exceeds `MAX_COMMIT_BYTES`. Also stops before a page
   * that would change the columns, unless it is the first page.
   */
  async #stage(list: readonly PendingBatch[], target: FlushTarget): Promise<StagedBatches> {
    const { schema: before, identify, recordOf, drift } = target;
    let [staged, size]: [StagedBatches | undefined, number] = [undefined, 0];
    try {
      for (const page of pageBatches(list)) {
        this.#stop.throwIfAborted();
        if (size > MAX_COMMIT_BYTES) break;
        const batches = await this.#read((read) => this.pending.loadRecords(read, page));
        const schema = await evolveSchema(batches, staged?.schema ?? before, drift, recordOf);
        if (staged && schema !== staged.schema) break;
        const firstWithColumns = await firstBatchWithColumns(batches, [before, schema], recordOf);
        staged ??= { ...(await this.#open(schema, identify ? withRecordColumns(schema) : schema)), firstWithColumns };
        await stageRecords(batches, staged.rows, { identify, recordOf, drift });
        addBatches(staged, batches);
        size += page.reduce((sum, batch) => sum + batch.size, 0);
      }
    } catch (error) {
      await staged?.rows.close();
      throw error;
    }
    return staged as StagedBatches;
  }

  async #open(schema: TableSchema, columns = schema): Promise<StagedBatches> {
    const rows = await StagingArea.open(join(this.services.folder, randomUUID()), columns);
    return { rows, schema, batches: [], credentials: new Set() };
  }

  async #writeFiles(staged: StagedBatches, table: FlushTarget): Promise<readonly WrittenFile[]> {
    try {
      const { tenantId, tableId } = this.lease;
      const schemaVersion = table.schemaVersion + (staged.schema === table.schema ? 0 : 1);
      // A full quota does not block these records, because they already count as used storage.
      const target = { tenantId, tableId, schemaVersion, schema: staged.rows.schema, enforcesQuota: false };
      return await writeTableFiles(this.services, target, staged.rows);
    } finally {
      await staged.rows.close();
    }
  }

  async #commit(
    staged: StagedBatches,
    files: Omit<TableChange, 'schema' | 'cause'>,
    { schema, decisions }: { schema?: TableSchema; decisions: readonly GateDecision[] },
  ): Promise<void> {
    const { em, tables } = this.services;
    this.#target = undefined;
    await writeAsCaller(em, tables, systemCaller(this.lease.tenantId), this.job.id, async (tx) => {
      // Decisions lock the connection. They come first, because the lock order is connection, then tap, as in the
      // deletion of a tap.
      for (const decision of decisions) await decision.save(tx);
      const cause = { kind: 'push', batch: staged.firstWithColumns ?? staged.batches[0] } as const;
      await commitTableFiles(tx, this.lease, { ...files, cause, ...(schema && { schema }) });
      const bytes = await this.pending.remove(tx.read, staged.batches);
      if (bytes === undefined) throw new LeaseLost(); // Another worker has loaded the batches.
      await this.pending.pruneDeliveries(tx.read, MAX_PRUNED_DELIVERIES);
      for (const id of staged.credentials) await markSenderVerified(tx, encodeId(id));
      await tx.em.flush();
      await addStorageUsage(tx.em, this.lease.tenantId, 'records', -bytes);
    });
  }

  #read<Result>(work: (read: Reader) => Promise<Result>): Promise<Result> {
    const { em, tables } = this.services;
    return runTenantTransaction(em, tables, this.lease.tenantId, ({ read }) => work(read));
  }
}
