import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TableServices } from '../../tables/table-context.js';
import type { PageToken } from '../page-token.js';
import type { TapReading } from '../tap-reading.js';

/** Values that distinguish the slices of a tap. */
export type SliceScope = Pick<TapReading, 'variables' | 'parentFields'>;

export interface ReadRecord {
  /** A JSON object without whitespace between values. */
  readonly line: string;
  /** Text of the primary key; undefined if the record has none. */
  readonly key: string | undefined;
  /** Cursor field in milliseconds since 1970; undefined without one. */
  readonly cursor: number | undefined;
}

export interface ReadPage {
  readonly records: readonly ReadRecord[];
  /** Undefined if the slice is read completely. */
  readonly next?: PageToken | undefined;
  /** Size of the response bodies. */
  readonly bytes: number;
  readonly receivedAt: Date;
}

/** A tap that is ready to be read, with the credential of its connection. */
export interface OpenTap {
  /** Slices of a tap without a parent: one per configured item, otherwise one. */
  rootScopes(): readonly SliceScope[];
  /**
   * Yields the pages of a slice from `from` on, or from its start. Repeats requests that fail temporarily, and waits up
   * to 30 seconds. Throws `TapReadError`; with the action `wait` for a longer wait.
   */
  readPages(
    slice: SliceScope & Pick<TapReading, 'window'>,
    from: PageToken | undefined,
    signal: AbortSignal,
  ): AsyncIterable<ReadPage>;
}

export interface TapToOpen {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly tap: Lean<ConnectorTap>;
  /** Id of the job, for logs. */
  readonly requestId: string;
  /** Called after each request. */
  readonly onRequest: () => void;
}

/** Process-wide services of syncs. */
export interface SyncServices {
  readonly tableServices: TableServices;
  /** Whether a connection gets a schedule and its first sync when its credentials are valid for the first time. */
  readonly startsInitialSync: boolean;
  /** Throws `TapReadError`. */
  openTap(tap: TapToOpen, signal: AbortSignal): Promise<OpenTap>;
}
