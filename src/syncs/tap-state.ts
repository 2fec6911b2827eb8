import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import type { SavedCursor } from './saved-cursor.js';

/**
 * The point up to which the service has read a partition of an incremental tap. A partition belongs to one parent
 * record, to one fan-out item or to the whole tap.
 */
@TenantTable()
@Unique({ properties: ['tenantId', 'tap', 'partition'] })
export class TapState extends TenantAudited {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** SHA-256 of the request variables. */
  @Property({ type: 'text' })
  partition: string;

  /** Time of the saved cursor. Null if the partition had no record with a cursor so far. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  cursorTime?: Date;

  /** Marks of the saved cursor (see `SavedCursor`). */
  @Property({ type: 'json', columnType: 'json' })
  marks: SavedCursor['marks'];

  /** Version of the parent record at the last complete read of the partition. Null without `parentChangeField`. */
  @Property({ type: 'text', nullable: true })
  parentVersion?: string;

  /** `runUntil` of the last run that found this version again. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  parentCheckedAt?: Date;
}
