import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DriverException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { markSenderVerified } from '../instances/credentials/sender-verification.js';
import { AppError } from '../kernel/errors.js';
import { FileStoreError } from '../kernel/files/file-store.js';
import { encodeId, newId } from '../kernel/ids.js';
import type { RunningJob } from '../kernel/jobs/job-queue.js';
import type { Reader } from '../kernel/reading/reader.js';
import { runTenantTransaction } from '../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { commitTableFiles } from '../tables/files/commit-table-files.js';
import { discardOnFailure, discardTableFiles } from '../tables/files/discard-table-files.js';
import { LeaseLost, type TableLease } from '../tables/files/table-lease.js';
import { writeTableFiles } from '../tables/files/write-table-files.js';
import { StagingArea } from '../tables/staging/staging-area.js';
import type { TableServices } from '../tables/table-context.js';
import type { GateDecision, RowGate } from '../tables/table-hooks.js';
import type { TableSchema } from '../tables/table-schema.js';
import type { WrittenFile } from '../tables/written-file.js';
import { addStorageUsage } from '../tenancy/storage-quota.js';
import { systemCaller, writeAsCaller } from '../tenancy/workspace-transaction.js';
import { pageBatches } from './page-batches.js';
import {
  type BatchWithRecords,
  MAX_LISTED_BATCHES,
  type PendingBatch,
  type PendingBatches,
} from './pending-batches.js';
import { evolveSchema, rejectBatches, stageBatches } from './stage-batches.js';
import { addBatches, type StagedBatches } from './staged-batches.js';

/** What becomes part of the table at once. */
const MAX_COMMIT_BYTES = 256 * 1024 * 1024;

/** What is put beside at once of what was refused batch by batch: so many of them, since one transaction may only ask so much, or bytes. */
const MAX_REJECTED_BATCHES = 100;
const MAX_REJECTED_BYTES = 16 * 1024 * 1024;

/** Deliveries that are forgotten with a commit. */
const MAX_PRUNED_DELIVERIES = 50_000;

/** From this attempt on a batch is looked for that the others need not wait for. */
const ISOLATE_FROM_ATTEMPT = 5;

const POISON_REASON = 'the batch that it came in cannot become part of the table';

/** What may be otherwise the next time, whichever batches there are. */
const TRANSIENT_ERRORS = [FileStoreError, LeaseLost, AppError, DriverException, DatabaseError];

/** What it goes into. */
interface FlushTarget {
  readonly schema: TableSchema;
  readonly schemaVersion: number;
  readonly gate: RowGate;
}

/** What became of the first batches of a list. */
interface FlushResult {
  readonly batches: number;
  /** Why they have not landed. */
  readonly rejected?: GateDecision | undefined;
}

interface RejectedBatch {
  readonly batch: PendingBatch;
  readonly decision: GateDecision;
}

/** Brings the batches of a tap into its table, for the one who may write to that. */
export class BatchFlusher {
  readonly #stop: AbortSignal;
  /** Those that follow each other: one commit for each of them would take most of the time. */
  #refused: RejectedBatch[] = [];
  /** As it has been since it was last committed to. */
  #known: FlushTarget | undefined;

  constructor(
    private readonly parts: TableServices,
    private readonly lease: TableLease,
    private readonly waiting: PendingBatches,
    private readonly job: RunningJob,
  ) {
    this.#stop = AbortSignal.any([job.signal, lease.signal]);
  }

  /** All that waits now. What comes in meanwhile stays, so that steady traffic does not make a file of each moment. */
  async flushAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const list = await this.#read((read) => this.waiting.list(read));
      await this.#land(list);
      await this.#putRefusedBeside();
      isMore = list.length === MAX_LISTED_BATCHES;
    }
  }

  /** What is refused, or fails again and again, is halved, until the one batch is found that it is about. */
  async #land(list: readonly PendingBatch[]): Promise<void> {
    for (let rest = list; rest.length > 0; ) {
      try {
        const { batches, rejected: refused } = await this.#landSome(rest);
        if (refused) await this.#landHalves(rest.slice(0, batches), refused);
        rest = rest.slice(batches);
      } catch (error) {
        if (!this.#isPoisonous(error)) throw error;
        const half = Math.floor(rest.length / 2);
        if (half === 0) await this.#putPoisonBeside(rest, error);
        else await this.#land(rest.slice(0, half));
        rest = rest.slice(half || 1);
      }
    }
  }

  async #landHalves(list: readonly PendingBatch[], refused: GateDecision): Promise<void> {
    const [batch] = list;
    if (batch && list.length === 1) return this.#noteRefused({ batch, decision: refused });
    const half = Math.floor(list.length / 2);
    await this.#land(list.slice(0, half));
    await this.#land(list.slice(half));
  }

  get #isSuspicious(): boolean {
    return this.job.attempt >= ISOLATE_FROM_ATTEMPT;
  }

  #isPoisonous(error: unknown): boolean {
    if (!this.#isSuspicious || this.#stop.aborted) return false;
    return !TRANSIENT_ERRORS.some((fault) => error instanceof fault);
  }

  /** As many as one commit takes, unless they are refused. */
  async #landSome(list: readonly PendingBatch[]): Promise<FlushResult> {
    const table = await this.#table();
    const staged = await this.#stage(table.gate.checksEachBatch ? list.slice(0, 1) : list, table.schema);
    const batches = staged.batches.length;
    return this.#withFiles(staged, table, async (added) => {
      const { tenantId, tableId } = this.lease;
      const { schema } = staged;
      const { attempt } = this.job;
      const arrival = { tenantId, tableId, runId: newId(), files: added, schema, attempt, signal: this.#stop };
      const verdict = await table.gate.check(arrival);
      this.#stop.throwIfAborted();
      if (verdict.rejectionReason !== undefined) {
        await discardTableFiles(this.parts, arrival, added);
        return { batches, rejected: verdict };
      }
      await this.#putRefusedBeside(); // in the order in which they came
      await this.#commit(staged, added, { verdicts: [verdict], ...(schema !== table.schema && { schema }) });
      return { batches };
    });
  }

  /** All records of a batch to what does not fit the table, as they were sent. */
  async #putPoisonBeside(list: readonly PendingBatch[], error: unknown): Promise<void> {
    this.parts.report(error, this.job.id);
    await this.#putBeside(list, (batches, rows) => rejectBatches(batches, POISON_REASON, rows));
  }

  async #noteRefused(refused: RejectedBatch): Promise<void> {
    this.#refused.push(refused);
    const size = this.#refused.reduce((sum, { batch }) => sum + batch.size, 0);
    // Where something fails again and again, it has to be known of which batch.
    const isEnough = this.#isSuspicious || this.#refused.length >= MAX_REJECTED_BATCHES || size >= MAX_REJECTED_BYTES;
    if (isEnough) await this.#putRefusedBeside();
  }

  /** The same where they fit, and must not become part of the table; what was found of each is kept along with that. */
  async #putRefusedBeside(): Promise<void> {
    const refused = this.#refused;
    if (refused.length === 0) return;
    this.#refused = [];
    const list = refused.map(({ batch }) => batch);
    const reasons = new Map(refused.map(({ batch, decision: verdict }) => [batch.id, verdict.rejectionReason]));
    const verdicts = refused.map(({ decision: verdict }) => verdict);
    await this.#putBeside(
      list,
      async (batches, rows) => {
        for (const batch of batches) await stageBatches([batch], rows, reasons.get(batch.id));
      },
      verdicts,
    );
  }

  async #putBeside(
    list: readonly PendingBatch[],
    reject: (batches: readonly BatchWithRecords[], rows: StagingArea) => Promise<void>,
    verdicts: readonly GateDecision[] = [],
  ): Promise<void> {
    const table = await this.#table();
    const batches = await this.#read((read) => this.waiting.loadRecords(read, list));
    // A refused record may have columns that the table does not get.
    const staged = await this.#open(verdicts.length > 0 ? await evolveSchema(batches, table.schema) : table.schema);
    try {
      await reject(batches, staged.rows);
      addBatches(staged, batches);
    } catch (failure) {
      await staged.rows.close();
      throw failure;
    }
    const unchanged = { ...table, schema: staged.schema };
    await this.#withFiles(staged, unchanged, (added) => this.#commit(staged, added, { verdicts }));
  }

  async #table(): Promise<FlushTarget> {
    this.#known ??= await this.#read(async (read) => {
      const table = await read.byId(CatalogTable, this.lease.tableId);
      if (!table) throw new LeaseLost();
      const { schema, schemaVersion } = table;
      return { schema, schemaVersion, gate: await this.parts.hooks.openGate(read, table) };
    });
    return this.#known;
  }

  /** As many of the batches as one commit takes, in their order; it ends where the columns change. */
  async #stage(list: readonly PendingBatch[], before: TableSchema): Promise<StagedBatches> {
    let staged: StagedBatches | undefined;
    let size = 0;
    try {
      for (const page of pageBatches(list)) {
        this.#stop.throwIfAborted();
        if (size > MAX_COMMIT_BYTES) break;
        const batches = await this.#read((read) => this.waiting.loadRecords(read, page));
        const schema = await evolveSchema(batches, staged?.schema ?? before);
        if (staged && schema !== staged.schema) break;
        staged ??= await this.#open(schema);
        await stageBatches(batches, staged.rows);
        addBatches(staged, batches);
        size += page.reduce((sum, batch) => sum + batch.size, 0);
      }
    } catch (error) {
      await staged?.rows.close();
      throw error;
    }
    return staged as StagedBatches;
  }

  async #open(schema: TableSchema): Promise<StagedBatches> {
    const rows = await StagingArea.open(join(this.parts.folder, randomUUID()), schema);
    return { rows, schema, batches: [], credentials: new Set() };
  }

  /** What is staged as files in the store; they are cleared by a job unless `work` makes them part of the table. */
  async #withFiles<Result>(
    staged: StagedBatches,
    table: FlushTarget,
    work: (added: readonly WrittenFile[]) => Promise<Result>,
  ): Promise<Result> {
    try {
      const { tenantId, tableId } = this.lease;
      const schemaVersion = table.schemaVersion + (staged.schema === table.schema ? 0 : 1);
      // Records are stored already, and take less space in the table: they land also where the quota is used up.
      const target = { tenantId, tableId, schemaVersion, schema: staged.schema, enforcesQuota: false };
      const added = await writeTableFiles(this.parts, target, staged.rows);
      return await discardOnFailure(this.parts, target, added, () => {
        this.#stop.throwIfAborted();
        return work(added);
      });
    } finally {
      await staged.rows.close();
    }
  }

  async #commit(
    staged: StagedBatches,
    added: readonly WrittenFile[],
    { schema, verdicts }: { schema?: TableSchema; verdicts: readonly GateDecision[] },
  ): Promise<void> {
    const { em, tables } = this.parts;
    this.#known = undefined;
    await writeAsCaller(em, tables, systemCaller(this.lease.tenantId), this.job.id, async (tx) => {
      for (const verdict of verdicts) await verdict.save(tx); // first: who deletes a tap locks its connection before the tap, too
      await commitTableFiles(tx, this.lease, { added, ...(schema && { schema }) });
      const bytes = await this.waiting.remove(tx.read, staged.batches);
      if (bytes === undefined) throw new LeaseLost(); // another worker has landed them
      await this.waiting.pruneDeliveries(tx.read, MAX_PRUNED_DELIVERIES);
      for (const id of staged.credentials) await markSenderVerified(tx, encodeId(id));
      await tx.em.flush();
      await addStorageUsage(tx.read, this.lease.tenantId, 'records', -bytes);
    });
  }

  #read<Result>(work: (read: Reader) => Promise<Result>): Promise<Result> {
    const { em, tables } = this.parts;
    return runTenantTransaction(em, tables, this.lease.tenantId, ({ read }) => work(read));
  }
}
