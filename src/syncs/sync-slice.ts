import { BigIntType, type Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import type { PageToken } from './page-token.js';
import type { SavedCursor } from './saved-cursor.js';
import { TapRun } from './tap-run.js';

/** `skipped`: the definition says to continue without the slice after the response of the vendor. */
export type SyncSliceState = 'open' | 'done' | 'skipped';

/**
 * A part of a tap run with separate requests: the records of one parent, one item of the configuration, or one time
 * window. Deleted when the run ends.
 */
@TenantTable()
@Unique({ properties: ['tenantId', 'run', 'ordinal'] })
@Index({ properties: ['run', 'state', 'ordinal'] })
export class SyncSlice extends TenantOwned {
  @TenantRelation(() => TapRun, 'tap_run_id')
  run: Ref<TapRun>;

  /** Slices are read in this order. */
  @Property({ type: 'integer' })
  ordinal: number;

  /** Values of request variables by name. */
  @Property({ type: 'json', columnType: 'json' })
  variables: Record<string, string>;

  /** Values that each record receives from its parent record. */
  @Property({ type: 'json', columnType: 'json' })
  parentFields: Record<string, unknown>;

  /** Start of the time window; null for a read in full. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  since?: Date;

  /** End of the time window; null for a tap without time windows. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  until?: Date;

  /** Next page; null before the first page. */
  @Property({ type: 'json', columnType: 'json', nullable: true })
  pageToken?: PageToken;

  /** Newest cursor among the pages read so far; null if they have none. */
  @Property({ type: 'json', columnType: 'json', nullable: true })
  cursor?: SavedCursor;

  /**
   * Version of the parent record that is saved when the slice is done; null for all slices of a partition but the last.
   */
  @Property({ type: 'text', nullable: true })
  parentVersion?: string;

  @Property({ type: 'text' })
  state: SyncSliceState = 'open';

  @Property({ type: new BigIntType('number') })
  recordsRead: number = 0;
}
