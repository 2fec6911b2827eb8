import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DriverException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { markVerified } from '../instances/sender-proof.js';
import { AppError } from '../kernel/errors.js';
import { StoringFailed } from '../kernel/file-store.js';
import { encodeId, newId } from '../kernel/ids.js';
import type { RunningJob } from '../kernel/job-queue.js';
import type { Reader } from '../kernel/reading.js';
import { inTenant } from '../kernel/transaction.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { commitTableFiles } from '../tables/commit-table-files.js';
import { giveUpTableFiles, unlessGivenUp } from '../tables/give-up-table-files.js';
import { StagedRows } from '../tables/staged-rows.js';
import type { TableParts } from '../tables/table-context.js';
import { LeaseLost, type TableLease } from '../tables/table-lease.js';
import type { TableSchema } from '../tables/table-schema.js';
import type { TableJudge, Verdict } from '../tables/table-watch.js';
import { writeTableFiles } from '../tables/write-table-files.js';
import type { WrittenFile } from '../tables/written-file.js';
import { countStorage } from '../tenancy/storage-quota.js';
import { systemCaller, writeAs } from '../tenancy/workspace-transaction.js';
import { pagesOf } from './pages-of-batches.js';
import { rejectBatches, stageBatches, surveyBatches } from './stage-batches.js';
import { type BatchWithRecords, MOST_BATCHES, type WaitingBatch, type WaitingBatches } from './waiting-batches.js';

/** What becomes part of the table at once. */
const COMMIT_SIZE = 256 * 1024 * 1024;

/** What is put beside at once of what was refused batch by batch: so many of them, since one transaction may only ask so much, or bytes. */
const MOST_REFUSED = 100;
const REFUSED_SIZE = 16 * 1024 * 1024;

/** Deliveries that are forgotten with a commit. */
const MOST_FORGOTTEN = 50_000;

/** From this attempt on a batch is looked for that the others need not wait for. */
const SUSPICIOUS_ATTEMPT = 5;

const POISONOUS = 'the batch that it came in cannot become part of the table';

/** What may be otherwise the next time, whichever batches there are. */
const OUTSIDE_FAULTS = [StoringFailed, LeaseLost, AppError, DriverException, DatabaseError];

/** What goes into a table in one transaction. */
interface Staged {
  readonly rows: StagedRows;
  readonly schema: TableSchema;
  readonly batches: string[];
  readonly credentials: Set<string>;
}

/** What it goes into. */
interface Target {
  readonly schema: TableSchema;
  readonly schemaVersion: number;
  readonly judge: TableJudge;
}

/** What became of the first batches of a list. */
interface Landed {
  readonly batches: number;
  /** Why they have not landed. */
  readonly refused?: Verdict | undefined;
}

interface RefusedBatch {
  readonly batch: WaitingBatch;
  readonly verdict: Verdict;
}

/** Brings the batches of a tap into its table, for the one who may write to that. */
export class Landing {
  readonly #stop: AbortSignal;
  /** Those that follow each other: one commit for each of them would take most of the time. */
  #refused: RefusedBatch[] = [];
  /** As it has been since it was last committed to. */
  #known: Target | undefined;

  constructor(
    private readonly parts: TableParts,
    private readonly lease: TableLease,
    private readonly waiting: WaitingBatches,
    private readonly job: RunningJob,
  ) {
    this.#stop = AbortSignal.any([job.signal, lease.signal]);
  }

  /** All that waits now. What comes in meanwhile stays, so that steady traffic does not make a file of each moment. */
  async landAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const list = await this.#read((read) => this.waiting.list(read));
      await this.#land(list);
      await this.#putRefusedBeside();
      isMore = list.length === MOST_BATCHES;
    }
  }

  /** What is refused, or fails again and again, is halved, until the one batch is found that it is about. */
  async #land(list: readonly WaitingBatch[]): Promise<void> {
    for (let rest = list; rest.length > 0; ) {
      try {
        const { batches, refused } = await this.#landSome(rest);
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

  async #landHalves(list: readonly WaitingBatch[], refused: Verdict): Promise<void> {
    const [batch] = list;
    if (batch && list.length === 1) return this.#noteRefused({ batch, verdict: refused });
    const half = Math.floor(list.length / 2);
    await this.#land(list.slice(0, half));
    await this.#land(list.slice(half));
  }

  get #isSuspicious(): boolean {
    return this.job.attempt >= SUSPICIOUS_ATTEMPT;
  }

  #isPoisonous(error: unknown): boolean {
    if (!this.#isSuspicious || this.#stop.aborted) return false;
    return !OUTSIDE_FAULTS.some((fault) => error instanceof fault);
  }

  /** As many as one commit takes, unless they are refused. */
  async #landSome(list: readonly WaitingBatch[]): Promise<Landed> {
    const table = await this.#table();
    const staged = await this.#stage(table.judge.judgesBatches ? list.slice(0, 1) : list, table.schema);
    const batches = staged.batches.length;
    return this.#withFiles(staged, table, async (added) => {
      const { tenantId, tableId } = this.lease;
      const { schema } = staged;
      const { attempt } = this.job;
      const arrival = { tenantId, tableId, runId: newId(), files: added, schema, attempt, signal: this.#stop };
      const verdict = await table.judge.judge(arrival);
      this.#stop.throwIfAborted();
      if (verdict.refusal !== undefined) {
        await giveUpTableFiles(this.parts, arrival, added);
        return { batches, refused: verdict };
      }
      await this.#putRefusedBeside(); // in the order in which they came
      await this.#commit(staged, added, { verdicts: [verdict], ...(schema !== table.schema && { schema }) });
      return { batches };
    });
  }

  /** All records of a batch to what does not fit the table, as they were sent. */
  async #putPoisonBeside(list: readonly WaitingBatch[], error: unknown): Promise<void> {
    this.parts.report(error, this.job.id);
    await this.#putBeside(list, (batches, rows) => rejectBatches(batches, POISONOUS, rows));
  }

  async #noteRefused(refused: RefusedBatch): Promise<void> {
    this.#refused.push(refused);
    const size = this.#refused.reduce((sum, { batch }) => sum + batch.size, 0);
    // Where something fails again and again, it has to be known of which batch.
    const isEnough = this.#isSuspicious || this.#refused.length >= MOST_REFUSED || size >= REFUSED_SIZE;
    if (isEnough) await this.#putRefusedBeside();
  }

  /** The same where they fit, and must not become part of the table; what was found of each is kept along with that. */
  async #putRefusedBeside(): Promise<void> {
    const refused = this.#refused;
    if (refused.length === 0) return;
    this.#refused = [];
    const list = refused.map(({ batch }) => batch);
    const reasons = new Map(refused.map(({ batch, verdict }) => [batch.id, verdict.refusal]));
    const verdicts = refused.map(({ verdict }) => verdict);
    await this.#putBeside(
      list,
      async (batches, rows) => {
        for (const batch of batches) await stageBatches([batch], rows, reasons.get(batch.id));
      },
      verdicts,
    );
  }

  async #putBeside(
    list: readonly WaitingBatch[],
    reject: (batches: readonly BatchWithRecords[], rows: StagedRows) => Promise<void>,
    verdicts: readonly Verdict[] = [],
  ): Promise<void> {
    const table = await this.#table();
    const batches = await this.#read((read) => this.waiting.withRecords(read, list));
    // A refused record may have columns that the table does not get.
    const staged = await this.#open(verdicts.length > 0 ? await surveyBatches(batches, table.schema) : table.schema);
    try {
      await reject(batches, staged.rows);
      note(staged, batches);
    } catch (failure) {
      await staged.rows.close();
      throw failure;
    }
    const unchanged = { ...table, schema: staged.schema };
    await this.#withFiles(staged, unchanged, (added) => this.#commit(staged, added, { verdicts }));
  }

  async #table(): Promise<Target> {
    this.#known ??= await this.#read(async (read) => {
      const table = await read.byId(CatalogTable, this.lease.tableId);
      if (!table) throw new LeaseLost();
      const { schema, schemaVersion } = table;
      return { schema, schemaVersion, judge: await this.parts.watch.judgeOf(read, table) };
    });
    return this.#known;
  }

  /** As many of the batches as one commit takes, in their order; it ends where the columns change. */
  async #stage(list: readonly WaitingBatch[], before: TableSchema): Promise<Staged> {
    let staged: Staged | undefined;
    let size = 0;
    try {
      for (const page of pagesOf(list)) {
        this.#stop.throwIfAborted();
        if (size > COMMIT_SIZE) break;
        const batches = await this.#read((read) => this.waiting.withRecords(read, page));
        const schema = await surveyBatches(batches, staged?.schema ?? before);
        if (staged && schema !== staged.schema) break;
        staged ??= await this.#open(schema);
        await stageBatches(batches, staged.rows);
        note(staged, batches);
        size += page.reduce((sum, batch) => sum + batch.size, 0);
      }
    } catch (error) {
      await staged?.rows.close();
      throw error;
    }
    return staged as Staged;
  }

  async #open(schema: TableSchema): Promise<Staged> {
    const rows = await StagedRows.open(join(this.parts.folder, randomUUID()), schema);
    return { rows, schema, batches: [], credentials: new Set() };
  }

  /** What is staged as files in the store; they are cleared by a job unless `work` makes them part of the table. */
  async #withFiles<Result>(
    staged: Staged,
    table: Target,
    work: (added: readonly WrittenFile[]) => Promise<Result>,
  ): Promise<Result> {
    try {
      const { tenantId, tableId } = this.lease;
      const schemaVersion = table.schemaVersion + (staged.schema === table.schema ? 0 : 1);
      // Records are stored already, and take less space in the table: they land also where the quota is used up.
      const target = { tenantId, tableId, schemaVersion, schema: staged.schema, isLimited: false };
      const added = await writeTableFiles(this.parts, target, staged.rows);
      return await unlessGivenUp(this.parts, target, added, () => {
        this.#stop.throwIfAborted();
        return work(added);
      });
    } finally {
      await staged.rows.close();
    }
  }

  async #commit(
    staged: Staged,
    added: readonly WrittenFile[],
    { schema, verdicts }: { schema?: TableSchema; verdicts: readonly Verdict[] },
  ): Promise<void> {
    const { em, tables } = this.parts;
    this.#known = undefined;
    await writeAs(em, tables, systemCaller(this.lease.tenantId), this.job.id, async (tx) => {
      for (const verdict of verdicts) await verdict.keep(tx); // first: who deletes a tap locks its connection before the tap, too
      await commitTableFiles(tx, this.lease, { added, ...(schema && { schema }) });
      const bytes = await this.waiting.remove(tx.read, staged.batches);
      if (bytes === undefined) throw new LeaseLost(); // another worker has landed them
      await this.waiting.forgetDeliveries(tx.read, MOST_FORGOTTEN);
      for (const id of staged.credentials) await markVerified(tx, encodeId(id));
      await tx.em.flush();
      await countStorage(tx.read, this.lease.tenantId, 'records', -bytes);
    });
  }

  #read<Result>(work: (read: Reader) => Promise<Result>): Promise<Result> {
    const { em, tables } = this.parts;
    return inTenant(em, tables, this.lease.tenantId, ({ read }) => work(read));
  }
}

function note(staged: Staged, batches: readonly BatchWithRecords[]): void {
  for (const { id, credentialId } of batches) {
    staged.batches.push(id);
    if (credentialId) staged.credentials.add(credentialId);
  }
}
