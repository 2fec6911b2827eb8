import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { releaseDeadBuffers } from '../../kernel/files/minor-gc.js';
import { discardTableFiles } from '../../tables/files/discard-table-files.js';
import { writeTableFiles } from '../../tables/files/write-table-files.js';
import { ObjectConverter } from '../../tables/records/convert-object.js';
import type { Drift } from '../../tables/records/drift.js';
import type { RecordIdentity } from '../../tables/records/record-identity.js';
import { stageObjects } from '../../tables/records/stage-objects.js';
import { StagingArea } from '../../tables/staging/staging-area.js';
import type { TableServices } from '../../tables/table-context.js';
import { type TableSchema, withRecordColumns } from '../../tables/table-schema.js';
import type { WrittenFile } from '../../tables/written-file.js';
import type { PageRead } from '../reading/page-read.js';
import type { CompletedRecord } from '../responses/complete-record.js';
import type { VendorRecord } from '../tap-page.js';

interface StagedTable {
  readonly tenantId: string;
  readonly tableId: string;
  readonly schema: TableSchema;
  readonly schemaVersion: number;
  readonly drift: Drift;
  /** Returns the record in the form that the table stores. By default, the record does not change. */
  readonly recordOf?: ((record: VendorRecord) => VendorRecord) | undefined;
  /** For the modes `upsert` and `history`. */
  readonly identify?: ((record: CompletedRecord, respondedAt: string) => RecordIdentity) | undefined;
}

const KEYS = withRecordColumns({ fields: [] });

/** Rows are first in local staging files, then in files in the file store that are not yet part of the table. */
export class StagedPages {
  readonly #written: WrittenFile[] = [];
  #schema: TableSchema;
  #converter: ObjectConverter;
  #area: StagingArea | undefined;
  #bytes = 0;
  #keys: StagingArea | undefined;
  /** Files that contain keys or deletions instead of rows. */
  readonly #others: WrittenFile[] = [];
  /** Whether `writeKeys` writes the keys of the staged records, including rejected and held records. */
  keepsKeys = false;

  constructor(
    private readonly services: TableServices,
    private readonly table: StagedTable,
  ) {
    this.#schema = table.schema;
    this.#converter = new ObjectConverter(table.schema, table.drift);
  }

  /** Approximate. */
  get bytes(): number {
    return this.#bytes + (this.#area?.bytes ?? 0);
  }

  /** Undefined if the columns do not change. */
  get newSchema(): TableSchema | undefined {
    return this.#schema === this.table.schema ? undefined : this.#schema;
  }

  get counts(): { readonly recordsWritten: number; readonly recordsRejected: number } {
    const sumOf = (kind: string) => this.#written.reduce((sum, file) => sum + (file.kind === kind ? file.rows : 0), 0);
    return {
      recordsWritten: sumOf('data') + (this.#area?.rows ?? 0),
      recordsRejected: sumOf('rejects') + (this.#area?.rejected ?? 0),
    };
  }

  /**
   * A record with new columns starts a new file, because the columns of a staging area are fixed. Throws
   * `StorageQuotaExceededError`.
   */
  async add(
    completed: readonly CompletedRecord[],
    { receivedAt, respondedAt = receivedAt }: Pick<PageRead, 'receivedAt' | 'respondedAt'>,
  ): Promise<void> {
    if (completed.length === 0) return;
    const { recordOf = (record) => record } = this.table;
    const records = completed.map(({ record }) => recordOf(record));
    const schema = this.#converter.evolve(records);
    if (schema !== this.#schema) {
      await this.#write();
      this.#schema = schema;
      this.#converter = new ObjectConverter(schema, this.table.drift);
    }
    const { identify } = this.table;
    const staged = identify ? withRecordColumns(schema) : schema;
    this.#area ??= await StagingArea.open(join(this.services.folder, randomUUID()), staged);
    const identities = identify && completed.map((record) => identify(record, respondedAt.toISOString()));
    await stageObjects({ records, identities, receivedAt }, this.#area, this.#converter);
    if (this.keepsKeys && identities) await this.#stageKeys(identities, receivedAt);
  }

  async #stageKeys(identities: readonly RecordIdentity[], receivedAt: Date): Promise<void> {
    this.#keys ??= await StagingArea.open(join(this.services.folder, randomUUID()), KEYS);
    const [batch, time] = [randomUUID(), receivedAt.toISOString()];
    for (const [at, { key }] of identities.entries())
      if (key !== undefined) this.#keys.add({ batch, row: at + 1, receivedAt: time }, [key, null, null]);
    await this.#keys.drained();
  }

  /** Throws `StorageQuotaExceededError`. */
  async writeKeys(): Promise<readonly WrittenFile[]> {
    if (!this.#keys || this.#keys.rows === 0) return [];
    const { tenantId, tableId, schemaVersion } = this.table;
    const target = { tenantId, tableId, schemaVersion, schema: KEYS, kind: 'keys', enforcesQuota: true } as const;
    const files = await writeTableFiles(this.services, target, this.#keys);
    this.discardLater(files);
    return files;
  }

  /** `discard` also removes these files. */
  discardLater(files: readonly WrittenFile[]): void {
    this.#others.push(...files);
  }

  /** Returns all files of the step, except files with keys or deletions. Throws `StorageQuotaExceededError`. */
  async write(): Promise<readonly WrittenFile[]> {
    await this.#write();
    return this.#written;
  }

  /** Keeps files that have become part of the table. */
  async discard(): Promise<void> {
    await this.close();
    // If this call fails, the cleanup job deletes the files later.
    await discardTableFiles(this.services, this.table, [...this.#written, ...this.#others]).catch(() => undefined);
  }

  /** Removes the staged rows, but not the written files. */
  async close(): Promise<void> {
    await this.#area?.close();
    this.#area = undefined;
    await this.#keys?.close();
    this.#keys = undefined;
  }

  async #write(): Promise<void> {
    const area = this.#area;
    if (!area) return;
    const { tenantId, tableId, schemaVersion } = this.table;
    const version = schemaVersion + (this.newSchema ? 1 : 0);
    const target = { tenantId, tableId, schemaVersion: version, schema: area.schema, enforcesQuota: true };
    this.#bytes += area.bytes;
    releaseDeadBuffers();
    this.#written.push(...(await writeTableFiles(this.services, target, area)));
    await area.close();
    this.#area = undefined;
  }
}
