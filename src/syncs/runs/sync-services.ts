import type { CatalogRevision } from '../../catalog/catalog-revision.js';
import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../../tables/table-context.js';
import type { PageToken } from '../page-token.js';
import type { PageRead } from '../reading/page-read.js';
import type { RequestTrace } from '../reading/request-trace.js';
import type { SliceScope, TapReading } from '../tap-reading.js';

/** A tap that is ready for reading, with the credential of its connection. */
export interface OpenTap {
  /** Number of partitions that a step may read concurrently, at least 1. */
  readonly concurrency: number;
  /** Whether the vendor accepts the position of a slice in a later run, and returns the records after that position. */
  readonly keepsPositions: boolean;
  /** Maximum number of records that the vendor returns for one query. Undefined without a limit. */
  readonly maxRecords?: number | undefined;
  /** Whether a failure can make a step read a slice again from its first page. */
  readonly readsAgain?: boolean;
  /** Returns the milliseconds by which the vendor's clock is ahead of the clock of this process. */
  clockOffsetMs(): Promise<number>;
  /** Yields one scope per combination of fan-out items, for a parent record or, without `scope`, for the whole tap. */
  fanOut(scope?: SliceScope): Iterable<SliceScope>;
  /**
   * Yields the pages from `from`, or from the start of the slice. Repeats requests that fail temporarily, each after at
   * most 30 seconds. Throws `TapReadError`, with action `wait` if the vendor requires a longer delay.
   */
  readPages(
    slice: SliceScope & Pick<TapReading, 'window'>,
    from: PageToken | undefined,
    signal: AbortSignal,
  ): AsyncIterable<PageRead>;
}

export interface TapToOpen {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly tap: Lean<ConnectorTap>;
  /** Catalog revision of `tap`. */
  readonly revision?: Lean<CatalogRevision> | undefined;
  /** Id of the job, for logs. */
  readonly requestId: string;
  /** Called after each request. */
  readonly onRequest: (trace: RequestTrace) => void;
}

export interface SyncServices {
  readonly tableServices: TableServices;
  /** Whether a connection gets a schedule and its first sync when its credentials become valid for the first time. */
  readonly startsInitialSync: boolean;
  /** Throws `TapReadError`. */
  openTap(tap: TapToOpen, signal: AbortSignal): Promise<OpenTap>;
}

export function inWorkspace<Result>(
  { tableServices: { em, tables } }: Pick<SyncServices, 'tableServices'>,
  { tenantId }: { readonly tenantId: string },
  work: (tx: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return runTenantTransaction(em, tables, tenantId, work);
}
