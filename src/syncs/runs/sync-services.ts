import type { CatalogRevision } from '../../catalog/catalog-revision.js';
import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { runTenantTransaction, type TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { TableServices } from '../../tables/table-context.js';
import type { PageToken } from '../page-token.js';
import type { PageRead } from '../reading/page-read.js';
import type { RequestTrace } from '../reading/request-trace.js';
import type { SliceScope, TapReading } from '../tap-reading.js';

export interface OpenTap {
  /** At least 1. */
  readonly concurrency: number;
  /**
   * Whether the vendor, in a later run, still accepts the position of a slice and returns the records after this
   * position.
   */
  readonly keepsPositions: boolean;
  /** Maximum number of records that the vendor returns for one query. Undefined without a limit. */
  readonly maxRecords?: number | undefined;
  /** Whether a failure can make a step read a slice again from its first page. */
  readonly readsAgain?: boolean;
  /** In milliseconds. Positive if the vendor's clock is ahead. */
  clockOffsetMs(): Promise<number>;
  /**
   * Yields one scope per combination of fan-out items. For a tap with a parent, `scope` is the scope of one parent
   * record.
   */
  fanOut(scope?: SliceScope): Iterable<SliceScope>;
  /**
   * Repeats requests that fail temporarily, after a delay of at most 30 seconds. Throws `TapReadError`, with action
   * `wait` if the vendor requires a longer delay.
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
  readonly revision?: Lean<CatalogRevision> | undefined;
  readonly requestId: string;
  readonly onRequest: (trace: RequestTrace) => void;
}

export interface SyncServices {
  readonly tableServices: TableServices;
  /** Whether a connection gets a schedule and a first sync as soon as its credentials are valid. */
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
