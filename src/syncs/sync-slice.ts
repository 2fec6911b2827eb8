import { BigIntType, type Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import type { PageToken } from './page-token.js';
import type { SavedCursor } from './saved-cursor.js';
import { TapRun } from './tap-run.js';

/**
 * A slice is `skipped` if the source does not provide its records, for example because the parent record no longer
 * exists.
 */
export type SyncSliceState = 'open' | 'done' | 'skipped';

/** The service deletes the slice at the end of the tap run, unless the next tap run of the tap continues the slice. */
@TenantTable()
@Unique({ properties: ['tenantId', 'run', 'ordinal'] })
@Index({ properties: ['run', 'state', 'ordinal'] })
export class SyncSlice extends TenantOwned {
  @TenantRelation(() => TapRun, 'tap_run_id')
  run: Ref<TapRun>;

  /** Position of the slice in the order of reading. */
  @Property({ type: 'integer' })
  ordinal: number;

  @Property({ type: 'json', columnType: 'json' })
  variables: Record<string, string>;

  /** Values that each record receives from its parent record. */
  @Property({ type: 'json', columnType: 'json' })
  parentFields: Record<string, unknown>;

  /** Start of the time window. Null without a time window, or if the window has no start. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  since?: Date;

  /** End of the time window. Null without a time window. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  until?: Date;

  /** Position of the next page. Null before the first page. */
  @Property({ type: 'json', columnType: 'json', nullable: true })
  pageToken?: PageToken;

  /**
   * Newest of the saved cursor and the cursors of the records read so far. Null before the first page, without a time
   * window, and while no cursor exists.
   */
  @Property({ type: 'json', columnType: 'json', nullable: true })
  cursor?: SavedCursor;

  /**
   * Version of the parent record. The service saves the version after it has read the last slice of the partition. Null
   * for all earlier slices, and if the version is unknown.
   */
  @Property({ type: 'text', nullable: true })
  parentVersion?: string;

  @Property({ type: 'text' })
  state: SyncSliceState = 'open';

  @Property({ type: new BigIntType('number') })
  recordsRead: number = 0;
}
