import type { Reader } from '../kernel/reading/reader.js';
import type { TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import type { CatalogTable } from './catalog-table.js';
import type { TableSchema } from './table-schema.js';
import type { WrittenFile } from './written-file.js';

/** Records of a table that a full read no longer contains. */
export interface MissingRecords {
  readonly missing: number;
  /** Number of records in the table. */
  readonly of: number;
}

export interface IncomingRows {
  readonly tenantId: string;
  readonly tableId: string;
  /** Identifies the source of the rows, as 22 base62 characters. Every attempt of a publication uses the same id. */
  readonly runId: string;
  /** Table files with accepted and rejected rows. They are in the file store, but not part of the table yet. */
  readonly files: readonly WrittenFile[];
  /** The table's data files that `files` replaces. Undefined if `files` replaces none. */
  readonly replaced?: readonly Pick<WrittenFile, 'id' | 'rows' | 'bytes' | 'lastReceivedAt'>[] | undefined;
  /**
   * Records that a full read no longer contains, if the read is merged into the table. Undefined if the read replaces
   * all rows.
   */
  readonly missingRecords?: MissingRecords | undefined;
  /** Columns of the table, including the columns that the rows add. */
  readonly schema: TableSchema;
  /** Attempt of the job, starting at 1. */
  readonly attempt: number;
  /** Aborted when the decision is no longer necessary. */
  readonly signal: AbortSignal;
}

export interface GateDecision {
  /** The reason why the rows must not become part of the table. Undefined if the rows may become part of it. */
  readonly rejectionReason?: string | undefined;
  /** Whether a user may accept the rejected rows. True if the only fault is that a full read lacks records. */
  readonly canBeAccepted?: boolean;
  /** Saves the check results in the transaction that commits or rejects the rows. */
  save(tx: TenantTransaction): Promise<void>;
}

/** Applies the contract that the table had when `openGate` was called. */
export interface RowGate {
  /** Whether the gate must check every batch separately. If false, the service checks all incoming rows together. */
  readonly checksEachBatch: boolean;
  /**
   * Checks rows before they become part of the table. Throws if the checks cannot run, so that the job retries. From
   * the fifth attempt on, throws only if the file store or the database fails.
   */
  check(arrival: IncomingRows): Promise<GateDecision>;
}

export interface TapRef {
  readonly tenantId: string;
  readonly tapId: string;
}

/** The domain `quality` implements these hooks. */
export interface TableHooks {
  /**
   * Returns a gate. The caller may use the gate several times before the rows become part of the table. The gate
   * ignores results that earlier attempts of the run `runId` saved.
   */
  openGate(read: Reader, table: Pick<CatalogTable, 'id' | 'schema' | 'bytes'>, runId?: string): Promise<RowGate>;
  /** Called in the transaction that deletes a tap and its table. */
  onTapDeleted(tx: TenantTransaction, tap: TapRef): Promise<void>;
  /** Called in the transaction that restores a deleted tap and its table. */
  onTapRestored(tx: TenantTransaction, tap: TapRef): Promise<void>;
}
