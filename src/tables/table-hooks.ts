import type { Reader } from '../kernel/reading/reader.js';
import type { TenantTransaction } from '../kernel/reading/tenant-transaction.js';
import type { CatalogTable } from './catalog-table.js';
import type { TableSchema } from './table-schema.js';
import type { WrittenFile } from './written-file.js';

/** Rows that are about to become part of a table. */
export interface IncomingRows {
  readonly tenantId: string;
  readonly tableId: string;
  /** Names what brings them, 22 characters of base62. The same for each attempt of a publication. */
  readonly runId: string;
  /** They are in the store already, and no part of the table yet: those with rows, and those with rejects. */
  readonly files: readonly WrittenFile[];
  /** The columns that the table has with them. */
  readonly schema: TableSchema;
  /** Which attempt of the job it is that brings them, from 1. */
  readonly attempt: number;
  /** Aborted once nobody waits for the verdict any more. */
  readonly signal: AbortSignal;
}

/** What is thought of an arrival. */
export interface GateDecision {
  /** Why its rows must not become part of the table; they may. */
  readonly rejectionReason?: string | undefined;
  /** Keeps what was found, in the transaction that brings the rows in, or in which it is settled that they do not come in. */
  save(tx: TenantTransaction): Promise<void>;
}

/** Judges by what was expected of a table when it was asked for. */
export interface RowGate {
  /** Whether what comes in is judged batch by batch, else whatever comes in together. */
  readonly checksEachBatch: boolean;
  /** Looks at rows before they come in. Throws where it cannot tell, so that it is tried again; of a late attempt only where the store or the database is at fault. */
  check(arrival: IncomingRows): Promise<GateDecision>;
}

export interface TapRef {
  readonly tenantId: string;
  readonly tapId: string;
}

/** Who watches over what becomes of tables. */
export interface TableHooks {
  /** For any number of arrivals until one becomes part of the table. What a run itself has left behind, in an attempt before, is not looked at. */
  openGate(read: Reader, table: Pick<CatalogTable, 'id' | 'schema'>, runId?: string): Promise<RowGate>;
  /** A tap was deleted in this transaction, and its table with it. */
  onTapDeleted(tx: TenantTransaction, tap: TapRef): Promise<void>;
  /** A deleted tap was added again in this transaction, and its table with it. */
  onTapRestored(tx: TenantTransaction, tap: TapRef): Promise<void>;
}
